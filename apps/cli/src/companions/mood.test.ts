import { describe, expect, it } from '@jest/globals';
import { whyWords } from './add-mood-commands.js';
import { bar, moodLines } from './mood.js';

describe('a mood in text', () => {
  it('draws values around their middle', () => {
    expect([bar(0.5), bar(-1), bar(0)]).toEqual([
      '··········│█████·····',
      '██████████│··········',
      '··········│··········',
    ]);
  });

  it('says what moved it and how the two stand', () => {
    const lines = moodLines('Mira', {
      companionId: 'mira',
      now: { pad: { p: 0.4, a: -0.2, d: 0 }, label: 'relaxed', strength: 'slightly' },
      baseline: { p: 0.1, a: 0, d: 0 },
      halfLifeMs: 7_200_000,
      series: [
        { at: '2026-01-01T10:00:00.000Z', pad: { p: 0, a: 0, d: 0 }, emotion: null, intensity: null },
        { at: '2026-01-02T10:00:00.000Z', pad: { p: 0.4, a: 0, d: 0 }, emotion: 'joy', intensity: 0.5 },
      ],
      bond: {
        stage: 'acquaintance',
        familiarity: 0.25,
        affection: 0.5,
        trust: 0.1,
        tension: 0.05,
        sentiment: 0.2,
        milestones: [],
        jokes: [],
        interactions: 9,
        firstMetAt: null,
        lastSpokeAt: null,
      },
    });
    expect(lines[0]).toBe('Mira is slightly relaxed');
    expect(lines[1]).toContain('+0.40  (at rest +0.10)');
    expect(lines).toContain('  2026-01-02 10:00  joy 0.50');
    expect(lines.at(-1)).toContain('with you: acquaintance, familiarity 25%');
    expect(lines).toHaveLength(7);
  });

  it('says why it moved: how a turn was read, and what it was the outcome of', () => {
    const event = {
      turnId: 'b',
      personId: 'p',
      at: '2026-01-02T10:00:00.000Z',
      emotion: 'relief',
      intensity: 0.5,
      variables: { desirability: 0.6, praiseworthiness: 0, target: 'other', prospect: 'disconfirmed' },
      appraiser: 'rules' as const,
      change: null,
      mood: { p: 0, a: 0, d: 0 },
      settles: null,
    };
    const read = 'desirability +0.60, target other, prospect disconfirmed (by rules)';
    expect(whyWords(event)).toBe(read);
    const settles = { turnId: 'a', kind: 'feared' as const, since: '2025-12-30T10:00:00.000Z' };
    expect(whyWords({ ...event, settles: { ...settles, about: 'my exam' } })).toBe(
      `what was feared on 2025-12-30 “my exam”; ${read}`,
    );
    expect(whyWords({ ...event, settles: { ...settles, about: null } })).toBe(
      `what was feared on 2025-12-30; ${read}`,
    );
  });
});
