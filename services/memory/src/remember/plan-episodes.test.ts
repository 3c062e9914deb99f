import { describe, expect, it } from '@jest/globals';
import { firstOf, type ReadTurn } from '@kith/contracts';
import { contentHashOf } from '../words/content-hash.js';
import { placesOf, planEpisodes, type KnownOfPlace } from './plan-episodes.js';

const AT = '2026-05-01T10:00:00.000Z';

/** A turn with a message for each of these texts, by the names `m-0`, `m-1` and so on. */
function turnOf(...said: string[]): ReadTurn {
  const personId = '018f0000-0000-7000-8000-000000000001';
  return {
    turnId: '018f0000-0000-7000-8000-000000000002',
    conversationId: '018f0000-0000-7000-8000-000000000003',
    companionId: 'wren',
    personId,
    displayName: 'Ann',
    door: 'discord',
    audience: 'direct',
    outcome: 'answered',
    origin: 'message',
    startedAt: AT,
    endedAt: AT,
    messages: said.map((text, n) => ({ role: 'person', personId, externalId: `m-${n}`, text, at: AT })),
  };
}

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
    expect(freshOf(turn, { kept: [kept('My sister lives in Bergen', 'm-0')] })).toEqual(['She has a cat']);
  });

  it('are those of a message that is named by its own words alone', () => {
    const turn = turnOf('My sister lives in Oslo');
    expect(freshOf(turn, { kept: [kept('My sister lives in Oslo', 'm-0')] })).toEqual([
      'My sister lives in Oslo',
    ]);
  });

  it('are those of words that were said in another message as well', () => {
    const turn = turnOf('My sister lives in Oslo', 'My sister lives in Oslo');
    expect(freshOf(turn, { kept: [kept('My sister lives in Bergen', 'm-0')] })).toEqual([
      'My sister lives in Oslo',
    ]);
  });
});

describe('episodes after an order for everything, which may be carried out late', () => {
  /** Minutes after the line was said. */
  const minute = (n: number) => new Date(Date.parse(AT) + n * 60_000);
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
