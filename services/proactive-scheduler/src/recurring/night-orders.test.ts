import { describe, expect, it } from '@jest/globals';
import type { CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { orderHeartbeats } from './night-orders.js';

type Orders = Pick<Messenger, 'ask' | 'enqueue'>;

/** Notes what is ordered; people are active on the days that `days` names for them. */
function ordersWith(days: Record<string, string[]>) {
  const ordered: unknown[] = [];
  const ask = async (_: object, { from, to }: { from: string; to: string }) => {
    const isIn = (day: string) => `${day}T12:00:00.000Z` >= from && `${day}T12:00:00.000Z` < to;
    return { personIds: Object.keys(days).filter((personId) => days[personId]!.some(isIn)) };
  };
  const enqueue = async (_: object, order: unknown) => void ordered.push(order);
  return { messenger: { ask, enqueue } as unknown as Orders, ordered };
}

const companion = { id: 'mira' } as CompanionView;
const span = {
  companionId: 'mira',
  day: '2027-01-20',
  from: '2027-01-20T00:00:00.000Z',
  to: '2027-01-21T00:00:00.000Z',
};

describe('heartbeats of a night', () => {
  it('are for whom it talked with, and for who has been silent for two weeks', async () => {
    const { messenger, ordered } = ordersWith({
      today: ['2027-01-20'],
      silent: ['2027-01-06'],
      back: ['2027-01-06', '2027-01-15'],
      gone: ['2027-01-02'],
    });
    await orderHeartbeats(messenger, span, companion);
    expect(ordered).toEqual([
      { personId: 'today', companionId: 'mira', day: '2027-01-20', why: 'day' },
      { personId: 'silent', companionId: 'mira', day: '2027-01-20', why: 'silence' },
    ]);
  });

  it('are as many as the persona says, and a few where it does not', async () => {
    const days = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((personId) => [personId, ['2027-01-20']]));
    const few = ordersWith(days);
    await orderHeartbeats(few.messenger, span, companion);
    expect(few.ordered).toHaveLength(3);
    const one = ordersWith(days);
    await orderHeartbeats(one.messenger, span, { ...companion, heartbeatsPerNight: 1 });
    expect(one.ordered).toHaveLength(1);
  });

  it('leave one place to who has been silent, unless there is but one', async () => {
    const days = {
      ...Object.fromEntries(['a', 'b', 'c', 'd'].map((personId) => [personId, ['2027-01-20']])),
      silent: ['2027-01-06'],
      too: ['2027-01-06'],
    };
    const whyOf = async (heartbeatsPerNight?: number) => {
      const { messenger, ordered } = ordersWith(days);
      const limited = heartbeatsPerNight === undefined ? companion : { ...companion, heartbeatsPerNight };
      await orderHeartbeats(messenger, span, limited);
      return (ordered as { why: string }[]).map(({ why }) => why);
    };
    expect(await whyOf()).toEqual(['day', 'day', 'silence']);
    expect(await whyOf(1)).toEqual(['day']);
    expect(await whyOf(0)).toEqual([]);
    expect(await whyOf(6)).toEqual(['day', 'day', 'day', 'day', 'silence', 'silence']);
  });
});
