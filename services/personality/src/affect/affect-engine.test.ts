import type { Pad } from '@kith/contracts';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyAppraisal, anyPad } from '../e2e/any-appraisal.js';
import { STRANGERS } from './bond/bond.js';
import { type AffectSnapshot, feel, type FeltMoods } from './feel.js';
import { NO_EVENT } from './no-event.js';
import { atRest, decayed, feltMood, moodsAt, NO_OFFSET, type Temperament } from './mood/mood-decay.js';
import { moveMood, MAX_PERSON_INFLUENCE } from './mood/move-mood.js';
import { minus, ORIGIN } from './mood/pad.js';
import { INITIAL_LEVELS, needSettings } from './needs/needs.js';
import { type LoggedTurn, type LogStart, replayDays } from './replay.js';
import { feelingsOf } from './emotions-of.js';

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
/** One that comes in late, or by a clock that is ahead. */
const saidAnyhow = fc
  .tuple(said, fc.nat(HOUR), fc.constantFrom(0, 0, 0, 90 * HOUR))
  .map(([turn, lateMs, aheadMs]) => ({ ...turn, lateMs, aheadMs }));
type Said = Omit<typeof said extends fc.Arbitrary<infer T> ? T : never, 'personId'> & {
  personId: string;
  lateMs?: number;
  aheadMs?: number;
};

const largestAxis = (change: Pad) => Math.max(...Object.values(change).map(Math.abs));
const character = (one: Temperament) => ({ temperament: one, needs: needSettings() });

/** Each turn felt when it comes, from what the one before left. */
function felt(turns: readonly Said[], one: Temperament): { personId: string; felt: FeltMoods }[] {
  let at = 0;
  let own = { shared: atRest(one), needs: { levels: INITIAL_LEVELS, at: 0 } };
  const pairs = new Map<string, Pick<AffectSnapshot, 'offset' | 'bond'>>();
  return turns.map(({ personId, pauseMs, appraisals, lateMs = 0, aheadMs = 0 }) => {
    at += pauseMs;
    const now = at + aheadMs;
    const pair = pairs.get(personId) ?? { offset: NO_OFFSET, bond: STRANGERS };
    const turn = { endedAt: Math.max(0, now - lateMs), emotions: feelingsOf(appraisals) };
    const after = feel({ ...own, ...pair }, turn, character(one), now);
    const { shared, needs, offset, bond } = after.after;
    own = { shared, needs };
    pairs.set(personId, { offset, bond });
    return { personId, felt: after };
  });
}

/** The moods that each turn left, where it left any. */
const moodsOf = (turns: readonly Said[], one: Temperament) =>
  felt(turns, one).flatMap((turn) => turn.felt.steps.at(-1) ?? []);

/** The turns as they come from the table: numbers cross as JSON text. */
function logged(turns: readonly Said[], one: Temperament): LoggedTurn[] {
  const log = felt(turns, one).map(({ personId, felt: { kind, at, steps, after } }, n): LoggedTurn => ({
    turnId: String(n),
    personId,
    at,
    version: 1,
    emotions: feelingsOf(turns[n]!.appraisals),
    left: {
      shared: steps.at(-1)?.shared ?? null,
      offset: steps.at(-1)?.offset ?? null,
      needs: kind === 'history' ? null : after.needs,
      bond: after.bond,
    },
  }));
  return JSON.parse(JSON.stringify(log)) as LoggedTurn[];
}

const FROM_NOTHING: LogStart = { shared: null, offsets: new Map(), needs: null, bonds: new Map() };

describe('the affect engine', () => {
  it('stays in the space, whatever is said by whom and when', () => {
    fc.assert(
      fc.property(temperament, fc.array(said, { maxLength: 60 }), (one, turns) => {
        for (const moods of moodsOf(turns, one)) {
          expect(largestAxis(moods.shared)).toBeLessThanOrEqual(1);
          expect(largestAxis(feltMood(moods))).toBeLessThanOrEqual(1);
        }
      }),
    );
  });

  it('is back at its baseline when nothing more happens', () => {
    fc.assert(
      fc.property(temperament, fc.array(said, { minLength: 1, maxLength: 30 }), (one, turns) => {
        const { after, at } = felt(turns, one).at(-1)!.felt;
        const later = moodsAt(after.shared, after.offset, one, at + 1_000 * HOUR);
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
        expect(moveMood(before, feelingsOf(reordered)).at(-1)).toEqual(
          moveMood(before, feelingsOf(events)).at(-1),
        );
      }),
    );
  });

  it('bounds what a flood from one person does to the mood others meet', () => {
    const flood = fc.array(said, { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(temperament, flood, (one, turns) => {
        const byOne = turns.map((turn) => ({ ...turn, personId: 'troll' }));
        for (const moods of moodsOf(byOne, one)) {
          const moved = largestAxis(minus(moods.shared, one.baseline));
          expect(moved).toBeLessThanOrEqual(MAX_PERSON_INFLUENCE + ROUNDING);
        }
      }),
    );
  });

  it('gives the same moods, needs and bonds, bit for bit, when its log is replayed', () => {
    fc.assert(
      fc.property(temperament, fc.array(said, { maxLength: 40 }), (one, turns) => {
        const replayed = replayDays(logged(turns, one), FROM_NOTHING, () => character(one));
        expect(replayed.turns).toHaveLength(turns.length);
        expect(replayed.differences).toEqual([]);
      }),
    );
  });

  it('gives the same also where turns came in late, or by a clock that was ahead', () => {
    fc.assert(
      fc.property(temperament, fc.array(saidAnyhow, { maxLength: 40 }), (one, turns) => {
        expect(replayDays(logged(turns, one), FROM_NOTHING, () => character(one)).differences).toEqual([]);
      }),
    );
  });

  it('goes on once a clock that was ahead is right again', () => {
    const harsh = { ...NO_EVENT, desirability: -0.8, praiseworthiness: -0.8, causedBy: 'other' as const };
    const turn = { personId: 'ana', pauseMs: HOUR, appraisals: [harsh] };
    const one = { baseline: ORIGIN, halfLifeMs: 6 * HOUR };
    const [, ahead, next, last] = felt([turn, { ...turn, aheadMs: 900 * HOUR }, turn, turn], one);
    expect([next?.felt.kind, last?.felt.kind]).toEqual(['present', 'present']);
    expect(last?.felt.after).toMatchObject({
      shared: { at: 4 * HOUR },
      offset: { at: 4 * HOUR },
      needs: { at: 4 * HOUR },
      bond: { lastSpokeAt: 4 * HOUR },
    });
    expect(last?.felt.after.bond.tension).toBeGreaterThan(ahead!.felt.after.bond.tension);
  });

  it('leaves the needs of a new companion alone at talk from before it', () => {
    const one = { baseline: ORIGIN, halfLifeMs: 6 * HOUR };
    const needs = { levels: INITIAL_LEVELS, at: 1_000 * HOUR };
    const fresh = { shared: atRest(one), needs, offset: NO_OFFSET, bond: STRANGERS };
    const turn = { endedAt: 10 * HOUR, emotions: [{ name: 'anger' as const, intensity: 0.8 }] };
    const { kind, after } = feel(fresh, turn, character(one), 1_001 * HOUR);
    expect({ kind, needs: after.needs, mood: after.shared.at }).toEqual({
      kind: 'present',
      needs,
      mood: 10 * HOUR,
    });
  });

  it('gives the rest of the log from any point of it', () => {
    const days = fc.array(said, { minLength: 2, maxLength: 40 });
    fc.assert(
      fc.property(temperament, days, fc.nat(40), (one, turns, cut) => {
        const log = logged(turns, one);
        const from = Math.min(cut, log.length - 1);
        const before = log.slice(0, from);
        const start: LogStart = {
          shared:
            before
              .map(({ left, at }) => left.shared && { pad: left.shared, at })
              .findLast((state) => state !== null) ?? null,
          offsets: new Map(
            before.flatMap(({ personId, left, at }) =>
              left.offset ? [[personId, { pad: left.offset, at }] as const] : [],
            ),
          ),
          needs: before.at(-1)?.left.needs ?? null,
          bonds: new Map(before.map(({ personId, left }) => [personId, left.bond!])),
        };
        expect(replayDays(log.slice(from), start, () => character(one)).differences).toEqual([]);
      }),
    );
  });

  it('tells which turn left something else than its log says', () => {
    const turn = { personId: 'ana', pauseMs: HOUR, appraisals: [] };
    const one = { baseline: ORIGIN, halfLifeMs: 6 * HOUR };
    const log = logged([turn, turn], one);
    log[1]!.left.bond!.trust += 1e-12;
    expect(replayDays(log, FROM_NOTHING, () => character(one)).differences).toEqual([
      { turnId: '1', at: 2 * HOUR, what: 'bond' },
    ]);
  });
});
