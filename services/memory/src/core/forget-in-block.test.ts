import { describe, expect, it } from '@jest/globals';
import { forgetInBlock, originsAfter } from './forget-in-block.js';

const bees = { text: 'Ann keeps bees.', sources: ['m1'] };
const knee = { text: 'Her knee hurts.', sources: ['m2', 'm3'] };

describe('a core block whose messages are forgotten', () => {
  it('loses the passages written for them, and nothing else', () => {
    const block = { text: 'Ann keeps bees.\nShe said so herself.\nHer knee hurts.', origins: [bees, knee] };
    expect(forgetInBlock(block, ['m3', 'm9'])).toEqual({
      text: 'Ann keeps bees.\nShe said so herself.',
      origins: [bees],
    });
    expect(forgetInBlock(block, ['m9'])).toBeNull();
  });

  it('closes the gap within a line', () => {
    const block = { text: 'Sails. Her knee hurts. Bakes.', origins: [knee] };
    expect(forgetInBlock(block, ['m2'])).toEqual({ text: 'Sails. Bakes.', origins: [] });
  });
});

describe('origins after an edit', () => {
  it('are those whose words still stand there', () => {
    expect(originsAfter('Her knee hurts.', [bees], knee)).toEqual([knee]);
    expect(originsAfter('Ann keeps bees.', [bees], { text: 'Ann keeps bees.', sources: [] })).toEqual([bees]);
  });
});
