import { describe, expect, it } from '@jest/globals';
import { describeDegraded } from './describe-degraded.js';

describe('describeDegraded', () => {
  it('names what was missing, known or not', () => {
    expect(describeDegraded(['memory', 'tools'])).toEqual(['without recall', 'without tools']);
    expect(describeDegraded(['dense'])).toEqual(['recall by words alone']);
    expect(describeDegraded(['dense', 'lexical'])).toEqual(['recall by plain text search']);
  });
});
