import type { Pad } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyAppraisal, anyPad } from '../e2e/any-appraisal.js';
import { feelingsOf } from './feelings.js';
import {
  decayed,
  feelTurn,
  feltMood,
  MAX_PERSON_INFLUENCE,
  type Moods,
  moodsAt,
  type Temperament,
} from './mood-dynamics.js';
import { minus, ORIGIN } from './pad.js';
import { type LoggedTurn, replayMood } from './replay-mood.js';

const HOUR = 3_600_000;
/** Sums of doubles: bounds hold up to their rounding. */
const ROUNDING = 1e-9;

const temperament: fc.Arbitrary<Temperament> = fc.record({
  baseline: anyPad,
  halfLifeMs: fc.integer({ min: 4 * HOUR, max: 12 * HOUR }),
});
/** A turn as it is said: by one of three people, after a pause, read as up to three events. */
const said = fc.record({
  personId: fc.constantFrom('ana', 'ben', 'cem'),
  pauseMs: fc.integer({ min: 0, max: 48 * HOUR }),
  appraisals: fc.array(anyAppraisal, { maxLength: 3 }),
});
type Said = typeof said extends fc.Arbitrary<infer T> ? T : never;

const largestAxis = (change: Pad) => Math.max(...Object.values(change).map(Math.abs));
const atRest = ({ baseline }: Temperament) => ({ shared: { pad: baseline, at: 0 }, offsets: new Map() });

/** What was said as the log keeps it. */
function logged(turns: readonly Said[]): LoggedTurn[] {
  let at = 0;
  return turns.map(({ personId, pauseMs, appraisals }) => {
    at += pauseMs;
    return { personId, at, emotions: feelingsOf(appraisals) };
  });
}

describe('the affect engine', () => {
  it('stays in the space, whatever is said by whom and when', () => {
    fc.assert(
      fc.property(temperament, fc.array(said, { maxLength: 60 }), (one, turns) => {
        for (const moods of replayMood(logged(turns), atRest(one), () => one)) {
          if (!moods) continue;
          expect(largestAxis(moods.shared)).toBeLessThanOrEqual(1);
          expect(largestAxis(feltMood(moods))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('is back at its baseline when nothing more happens', () => {
    fc.assert(
      fc.property(temperament, fc.array(said, { minLength: 1, maxLength: 30 }), (one, turns) => {
        const log = logged(turns);
        const last = replayMood(log, atRest(one), () => one).findLast((moods) => moods !== null);
        if (!last) return;
        const end = log.at(-1)!.at;
        const later = moodsAt(
          { pad: last.shared, at: end },
          { pad: last.offset, at: end },
          one,
          end + 1_000 * HOUR,
        );
        expect(largestAxis(minus(later.shared, one.baseline))).toBeLessThan(ROUNDING);
        expect(largestAxis(later.offset)).toBeLessThan(ROUNDING);
      }),
    );
  });

  it('comes nearer to its baseline with every moment, and never passes it', () => {
    const times = fc.tuple(fc.nat(48 * HOUR), fc.nat(48 * HOUR));
    fc.assert(
      fc.property(temperament, anyPad, times, ({ baseline, halfLifeMs }, start, [pause, more]) => {
        const distanceAfter = (ms: number) =>
          minus(decayed({ pad: start, at: 0 }, baseline, halfLifeMs, ms), baseline);
        const [sooner, later] = [distanceAfter(pause), distanceAfter(pause + more)];
        for (const axis of ['p', 'a', 'd'] as const) {
          expect(Math.abs(later[axis])).toBeLessThanOrEqual(Math.abs(sooner[axis]) + ROUNDING);
          expect(later[axis] * sooner[axis]).toBeGreaterThanOrEqual(-ROUNDING);
        }
      }),
    );
  });

  it('feels the events of one turn alike in whatever order they were read', () => {
    const shuffled = fc
      .array(anyAppraisal, { maxLength: 5 })
      .chain((events) =>
        fc.tuple(fc.constant(events), fc.shuffledSubarray(events, { minLength: events.length })),
      );
    fc.assert(
      fc.property(anyPad, shuffled, (shared, [events, reordered]) => {
        const before = { shared, offset: ORIGIN };
        expect(feelTurn(before, feelingsOf(reordered)).at(-1)).toEqual(
          feelTurn(before, feelingsOf(events)).at(-1),
        );
      }),
    );
  });

  it('bounds what a flood from one person does to the mood others meet', () => {
    const flood = fc.array(said, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(temperament, flood, (one, turns) => {
        const log = logged(turns).map((turn) => ({ ...turn, personId: 'troll' }));
        for (const moods of replayMood(log, atRest(one), () => one)) {
          if (!moods) continue;
          const moved = largestAxis(minus(moods.shared, one.baseline));
          expect(moved).toBeLessThanOrEqual(MAX_PERSON_INFLUENCE + ROUNDING);
        }
      }),
    );
  });

  it('gives the same moods, bit for bit, when its log is replayed', () => {
    fc.assert(
      fc.property(temperament, fc.array(said, { maxLength: 40 }), (one, turns) => {
        const log = logged(turns);
        const first = feltAsItHappens(log, one);
        // As from the table: numbers cross as JSON text.
        const fromTable = JSON.parse(JSON.stringify(log)) as LoggedTurn[];
        expect(replayMood(fromTable, atRest(one), () => one)).toStrictEqual(first);
      }),
    );
  });

  it('gives the rest of the log from any point of it', () => {
    const days = fc.array(said, { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(temperament, days, fc.nat(40), (one, turns, cut) => {
        const log = logged(turns);
        const all = replayMood(log, atRest(one), () => one);
        const from = Math.min(cut, log.length - 1);
        const start = { ...atRest(one), offsets: new Map() };
        log.slice(0, from).forEach(({ personId, at }, n) => {
          const moods = all[n];
          if (!moods) return;
          start.shared = { pad: moods.shared, at };
          start.offsets.set(personId, { pad: moods.offset, at });
        });
        expect(replayMood(log.slice(from), start, () => one)).toStrictEqual(all.slice(from));
      }),
    );
  });
});

/** Each turn felt when it comes, from what the one before left, as the records do it. */
function feltAsItHappens(log: readonly LoggedTurn[], one: Temperament): (Moods | null)[] {
  let shared = { pad: one.baseline, at: 0 };
  const offsets: Record<string, { pad: Pad; at: number }> = {};
  return log.map(({ personId, at, emotions }) => {
    const before = moodsAt(shared, offsets[personId] ?? { pad: ORIGIN, at: 0 }, one, at);
    const after = feelTurn(before, emotions).at(-1) ?? null;
    if (after) {
      shared = { pad: after.shared, at };
      offsets[personId] = { pad: after.offset, at };
    }
    return after;
  });
}
