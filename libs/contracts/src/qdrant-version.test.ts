import { describe, expect, it } from '@jest/globals';
import { isQdrantTooOld } from './qdrant-version.js';

describe('the version of a Qdrant server', () => {
  it.each([
    ['1.10.9', true],
    ['0.99.0', true],
    ['1.11.0', false],
    ['v1.18.2', false],
    ['2.0.0-rc1', false],
    ['dev', false],
  ])('%s: too old is %p', (version, expected) => {
    expect(isQdrantTooOld(version)).toBe(expected);
  });
});
