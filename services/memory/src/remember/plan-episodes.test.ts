import { describe, expect, it } from '@jest/globals';
import { firstOf, type ReadTurn } from '@kith/contracts';
import { contentHashOf } from '../words/content-hash.js';
import { placesOf, planEpisodes, type KnownOfPlace } from './plan-episodes.js';
import { testingTurn } from './testing-turn.js';

/** A turn with a message for each of these texts, by the names `m0`, `m1` and so on. */
const turnOf = (...said: string[]) => testingTurn(said.map((text) => ({ text })));

function freshOf(turn: ReadTurn, known: Partial<KnownOfPlace>): string[] {
  const nothing: KnownOfPlace = {
    newTurns: new Set([turn.turnId]),
    refusals: [],
    isPrivate: () => false,
    keptToday: 0,
    twins: [],
    kept: [],
  };
  const plan = planEpisodes(placesOf([turn]), [{ ...nothing, ...known }], null);
  return firstOf(plan).fresh.map(({ text }) => text);
}

describe('episodes of a turn that is read again', () => {
  const kept = (text: string, ...sources: string[]) => ({ contentHash: contentHashOf(text), sources });

  it('are none of a message that stands in other words', () => {
    const turn = turnOf('My sister lives in Oslo', 'She has a cat');
    expect(freshOf(turn, { kept: [kept('My sister lives in Bergen', 'm0')] })).toEqual(['She has a cat']);
  });

  it('are those of a message that is named by its own words alone', () => {
    const turn = turnOf('My sister lives in Oslo');
    expect(freshOf(turn, { kept: [kept('My sister lives in Oslo', 'm0')] })).toEqual([
      'My sister lives in Oslo',
    ]);
  });

  it('are those of words that were said in another message as well', () => {
    const turn = turnOf('My sister lives in Oslo', 'My sister lives in Oslo');
    expect(freshOf(turn, { kept: [kept('My sister lives in Bergen', 'm0')] })).toEqual([
      'My sister lives in Oslo',
    ]);
  });
});

describe('episodes after an order for everything, which may be carried out late', () => {
  /** Minutes after the line was said. */
  const minute = (n: number) => new Date(Date.parse('2026-05-01T10:00:00.000Z') + n * 60_000);
  const order = { sources: [], everything: true, revision: null, saidFrom: null };

  it.each([
    ['are those of a turn that began after all of it', minute(-2), minute(-1), minute(0), ['hello']],
    ['are those of a turn that began while it waited', minute(-1), minute(2), minute(1), ['hello']],
    ['are none said before it was given, in such a turn', minute(1), minute(3), minute(2), []],
    ['are none of a turn that had begun', minute(-1), minute(2), minute(-2), []],
    ['are none of such a turn where its time is not known', null, minute(2), minute(1), []],
  ])('%s', (_, saidTo, at, began, fresh) => {
    const turn = { ...turnOf('hello'), startedAt: began.toISOString() };
    expect(freshOf(turn, { refusals: [{ ...order, saidTo, at }] })).toEqual(fresh);
  });
});
