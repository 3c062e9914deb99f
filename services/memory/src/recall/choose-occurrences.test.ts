import { describe, expect, it } from '@jest/globals';
import { chooseOccurrences } from './choose-occurrences.js';
import type { Candidate, Ranked } from './memory-ranking.js';

/** A ranked line of a day, of ten tokens. */
function ranked(id: string, day: number, score: number): Ranked {
  const candidate = { id, text: 'x'.repeat(40), saidAt: new Date(Date.UTC(2026, 0, day, 9)) };
  return { candidate: candidate as Candidate, why: { score } as Ranked['why'] };
}
const whole = ({ text }: Candidate) => text;
const idsOf = (chosen: { candidate: { id: string } }[]) => chosen.map(({ candidate }) => candidate.id);
const found = [ranked('a', 1, 1), ranked('b', 1, 0.9), ranked('c', 1, 0.8), ranked('d', 7, 0.5)];

describe('all occurrences', () => {
  it('are the best ones where they are counted, and of each day one where their order is asked', () => {
    expect(idsOf(chooseOccurrences(found, 'count', 30, whole))).toEqual(['a', 'b', 'c']);
    expect(idsOf(chooseOccurrences(found, 'order', 30, whole))).toEqual(['a', 'd', 'b']);
  });

  it('leave out what is about something else, and fit more when only a part of each is told', () => {
    const other = [...found, ranked('e', 9, 0.05)];
    expect(idsOf(chooseOccurrences(other, 'count', 1_000, whole))).toEqual(['a', 'b', 'c', 'd']);
    expect(chooseOccurrences(found, 'count', 30, ({ text }) => text.slice(0, 20))).toHaveLength(4);
  });
});
