import { describe, expect, it } from '@jest/globals';
import { asStatement } from './as-statement.js';

describe('a question as a statement', () => {
  it.each([
    ['When did Melanie run a charity race?', 'Melanie run a charity race'],
    ['What fields would Caroline be likely to pursue?', 'fields Caroline be likely to pursue'],
    ["Hey, what's my dog called?", 'my dog called'],
    ['Does Ann like tea?', 'Ann like tea'],
  ])('begins as its answer would: %s', (asked, stated) => {
    expect(asStatement(asked)).toBe(stated);
  });

  it.each(['I like tea.', 'The dog that I had as a child?', 'What?', '?', ''])(
    'leaves alone: %s',
    (asked) => {
      expect(asStatement(asked)).toBeNull();
    },
  );
});
