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

  it.each([
    [
      'a line of its own, not within another note',
      'likes teapots\nlikes tea',
      ['likes teapots'],
      'likes teapots',
    ],
    ['whole words, not parts of them', 'Bakes, likes teapots, likes tea.', [], 'Bakes, likes teapots, .'],
    ['every place where it is unclear', 'Sails, likes tea.\nOften likes tea.', [], 'Sails, .\nOften .'],
    ['a line of its own, though it is said elsewhere', 'Bob likes tea.\nlikes tea', [], 'Bob likes tea.'],
  ])('loses a passage as %s', (_, text, noted, left) => {
    const origins = [
      ...noted.map((one) => ({ text: one, sources: ['m1'] })),
      { text: 'likes tea', sources: ['m2'] },
    ];
    expect(forgetInBlock({ text, origins }, ['m2'])?.text).toBe(left);
  });
});

describe('origins after an edit', () => {
  const block = { text: 'Ann keeps bees.', origins: [bees] };

  it('are those whose words still stand there', () => {
    const replace = { kind: 'replace' as const, old: bees.text, new: knee.text };
    expect(originsAfter(block, replace, knee.text, knee.sources)).toEqual([knee]);
    const append = { kind: 'append' as const, text: 'She sails.' };
    expect(originsAfter(block, append, 'Ann keeps bees.\nShe sails.', [])).toEqual([bees]);
  });

  it('follow a passage of which a part is replaced, so that its rest can be forgotten', () => {
    const replace = { kind: 'replace' as const, old: 'bees', new: 'goats' };
    const text = 'Ann keeps goats.';
    const origins = originsAfter(block, replace, text, ['m4']);
    expect(origins).toEqual([
      { text, sources: ['m1'] },
      { text: 'goats', sources: ['m4'] },
    ]);
    expect(forgetInBlock({ text, origins }, ['m1'])).toEqual({ text: '', origins: [] });
    const withoutGoats = forgetInBlock({ text, origins }, ['m4'])!;
    expect(withoutGoats).toEqual({
      text: 'Ann keeps .',
      origins: [{ text: 'Ann keeps .', sources: ['m1'] }],
    });
    expect(forgetInBlock(withoutGoats, ['m1'])).toEqual({ text: '', origins: [] });
  });

  it('follow a passage that is told anew as a whole, which comes from its messages, too', () => {
    const text = 'Ann keeps bees in Ghent.';
    const origins = originsAfter(block, { kind: 'replace', old: bees.text, new: text }, text, ['m4']);
    expect(origins).toEqual([
      { text, sources: ['m1'] },
      { text, sources: ['m4'] },
    ]);
    expect(forgetInBlock({ text, origins }, ['m1'])).toEqual({ text: '', origins: [] });
    expect(forgetInBlock({ text, origins }, ['m4'])).toEqual({ text: '', origins: [] });
  });

  it('follow both of two passages that a replacement joins', () => {
    const text = 'Ann keeps bees. Her knee hurts.';
    const replace = { kind: 'replace' as const, old: 'bees. Her', new: 'goats. One' };
    const after = 'Ann keeps goats. One knee hurts.';
    const origins = originsAfter({ text, origins: [bees, knee] }, replace, after, []);
    expect(forgetInBlock({ text: after, origins }, ['m1'])!.text).toBe('knee hurts.');
    expect(forgetInBlock({ text: after, origins }, ['m1', 'm2'])!.text).toBe('');
  });

  it('are told apart where the same words were noted twice', () => {
    const text = `${bees.text}\n${bees.text}`;
    const origins = [bees, { ...bees, sources: ['m5'] }];
    const once = forgetInBlock({ text, origins }, ['m1'])!;
    expect(once).toEqual({ text: bees.text, origins: [{ ...bees, sources: ['m5'] }] });
    expect(forgetInBlock({ text, origins }, ['m1', 'm5'])!.text).toBe('');
  });

  it('are of the passage on its own line, not of what another note has of its words', () => {
    const origins = [
      { text: 'likes teapots', sources: ['m1'] },
      { text: 'likes tea', sources: ['m2'] },
    ];
    const replace = { kind: 'replace' as const, old: 'teapots', new: 'coffee pots' };
    const after = 'likes coffee pots\nlikes tea';
    expect(originsAfter({ text: 'likes teapots\nlikes tea', origins }, replace, after, [])).toEqual([
      { text: 'likes coffee pots', sources: ['m1'] },
      { text: 'likes tea', sources: ['m2'] },
    ]);
  });

  it('follow a passage whose typo is put right in a text that is set anew, and none that is told no more', () => {
    const origins = [bees, { text: 'Her knee hurst.', sources: ['m2'] }];
    const before = { text: 'Ann keeps bees.\nHer knee hurst.\nShe sails.', origins };
    const set = (text: string) => originsAfter(before, { kind: 'set', text }, text, []);
    expect(set('She sails.\nAnn keeps bees.\nHer knee hurts.')).toEqual([
      bees,
      { text: 'Her knee hurts.', sources: ['m2'] },
    ]);
    expect(set('Ann keeps bees.\nShe sails.\nBob bakes.')).toEqual([bees]);
  });
});
