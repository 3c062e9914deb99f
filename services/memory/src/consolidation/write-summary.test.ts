import { describe, expect, it } from '@jest/globals';
import { noteOfSent } from '@kith/contracts';
import { writeReflection } from './write-summary.js';

const plan = {
  audience: 'direct',
  statements: ['My dog Rex ran away', 'I found him'].map((text) => ({ text, saidAt: new Date(0) })),
  sources: ['m1'],
  importance: 4,
};

describe('a written reflection', () => {
  it('quotes what was said when there is no model', async () => {
    expect(await writeReflection('2026-05-01', plan, null)).toBe(
      'On 1 May 2026 they said: “My dog Rex ran away” “I found him”',
    );
  });

  it('has of each statement what was typed', async () => {
    const text = `Look at this\n${noteOfSent('a forwarded message', 'I moved to Berlin.')}`;
    const forwarded = { ...plan, statements: [{ text, saidAt: new Date(0) }] };
    expect(await writeReflection('2026-05-01', forwarded, null)).toBe(
      'On 1 May 2026 they said: “Look at this”',
    );
  });

  it('is the model’s where there is one', async () => {
    const text = await writeReflection(
      '2026-05-01',
      plan,
      async (said) => `They found ${said.length} things.`,
    );
    expect(text).toBe('On 1 May 2026: They found 2 things.');
  });

  it.each([
    ['fails', () => Promise.reject(new Error('down'))],
    ['says nothing', () => Promise.resolve('  ')],
  ])('is quoted when the model %s', async (_, summarise) => {
    expect(await writeReflection('2026-05-01', plan, summarise)).toBe(
      await writeReflection('2026-05-01', plan, null),
    );
  });

  it('cuts a long quotation between words', async () => {
    const long = { ...plan, statements: [{ text: 'word '.repeat(100), saidAt: new Date(0) }] };
    expect(await writeReflection('2026-05-01', long, null)).toMatch(/word…”$/);
  });

  it('is cut between whole characters, in its words and in theirs', async () => {
    const endless = { ...plan, statements: [{ text: `x${'😀'.repeat(200)}`, saidAt: new Date(0) }] };
    for (const summarise of [null, async () => `x${'😀'.repeat(900)}`])
      expect((await writeReflection('2026-05-01', endless, summarise)).isWellFormed()).toBe(true);
  });
});
