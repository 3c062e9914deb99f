import { describe, expect, it } from '@jest/globals';
import { resolveId } from './memory-pages.js';

const ID = '019a0000-0000-7000-8000-0000aabbccdd';

describe('resolveId', () => {
  it('finds the one id with that ending, and takes a full one as it is', () => {
    expect(resolveId('aabbccdd', [ID, '019a0000-0000-7000-8000-000011112222'])).toBe(ID);
    expect(resolveId(ID, [])).toBe(ID);
  });

  it.each([
    ['ffff', 'no memory has the id'],
    ['dd', 'no memory has the id'],
    ['ccdd', 'more than one memory'],
  ])('refuses %p', (given, message) => {
    expect(() => resolveId(given, [ID, '019a0000-0000-7000-8000-00000000ccdd'])).toThrow(message);
  });
});
