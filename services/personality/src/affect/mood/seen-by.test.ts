import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { seenBy } from './seen-by.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const own = (minute: number) => ({ at: minute * MINUTE, isOwn: true });
const others = (minute: number) => ({ at: minute * MINUTE, isOwn: false });
const minutes = (states: { at: number; isOwn: boolean }[]) =>
  seenBy(states).map(({ at, seenAt }) => [at / MINUTE, seenAt / MINUTE]);

describe('when a viewer sees a state', () => {
  it('is at once for their own turn, and at the end of the hour for others', () => {
    expect(minutes([own(5), others(64), own(130)])).toEqual([
      [5, 5],
      [64, 120],
      [130, 130],
    ]);
  });

  it('is never where a later state holds it before the hour is over', () => {
    expect(minutes([others(5), others(50), own(70)])).toEqual([
      [50, 60],
      [70, 70],
    ]);
    expect(minutes([others(5), own(20)])).toEqual([[20, 20]]);
  });

  it('is in order of time, and says nothing of a minute of others', () => {
    const state = fc.record({ at: fc.integer({ min: 0, max: 48 * HOUR }), isOwn: fc.boolean() });
    fc.assert(
      fc.property(fc.array(state, { maxLength: 60 }), (raw) => {
        const states = raw.sort((one, other) => one.at - other.at);
        const seen = seenBy(states);
        const times = seen.map(({ seenAt }) => seenAt);
        expect(times).toEqual([...times].sort((one, other) => one - other));
        for (const { isOwn, seenAt, at } of seen) {
          expect(seenAt).toBeGreaterThanOrEqual(at);
          if (!isOwn) expect(seenAt % HOUR).toBe(0);
        }
        expect(seen.filter(({ isOwn }) => isOwn)).toHaveLength(states.filter(({ isOwn }) => isOwn).length);
      }),
    );
  });
});
