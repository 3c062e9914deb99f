import { describe, expect, it } from '@jest/globals';
import { memoryContract, type CompanionView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { orderHeartbeats } from './night-orders.js';
import { orderDueTasks } from './order-due-tasks.js';

type Orders = Pick<Messenger, 'ask' | 'enqueue'>;

/** Notes what is ordered; people are active on the days that `days` names for them. */
function ordersWith(days: Record<string, string[]>, tasks: object[] = []) {
  const ordered: unknown[] = [];
  const ask = async (contract: object, { from, to }: { from: string; to: string }) => {
    if (contract === memoryContract.dueTasks) return { tasks };
    const isIn = (day: string) => `${day}T12:00:00.000Z` >= from && `${day}T12:00:00.000Z` < to;
    return { personIds: Object.keys(days).filter((personId) => days[personId]!.some(isIn)) };
  };
  const enqueue = async (_: object, order: unknown) => void ordered.push(order);
  return { messenger: { ask, enqueue } as unknown as Orders, ordered };
}

const companion = { id: 'mira' } as CompanionView;
const span = { day: '2027-01-20', from: '2027-01-20T00:00:00.000Z', to: '2027-01-21T00:00:00.000Z' };

describe('heartbeats of a night', () => {
  it('are for whom it talked with, and for who has been silent for two weeks', async () => {
    const { messenger, ordered } = ordersWith({
      today: ['2027-01-20'],
      silent: ['2027-01-06'],
      back: ['2027-01-06', '2027-01-15'],
      gone: ['2027-01-02'],
    });
    await orderHeartbeats(messenger, { companion, ...span });
    expect(ordered).toEqual([
      { personId: 'today', companionId: 'mira', day: '2027-01-20', why: 'day' },
      { personId: 'silent', companionId: 'mira', day: '2027-01-20', why: 'silence' },
    ]);
  });

  it('are as many as the persona says, and a few where it does not', async () => {
    const days = Object.fromEntries(['a', 'b', 'c', 'd', 'e'].map((personId) => [personId, ['2027-01-20']]));
    const few = ordersWith(days);
    await orderHeartbeats(few.messenger, { companion, ...span });
    expect(few.ordered).toHaveLength(3);
    const one = ordersWith(days);
    await orderHeartbeats(one.messenger, { companion: { ...companion, heartbeatsPerNight: 1 }, ...span });
    expect(one.ordered).toHaveLength(1);
  });
});

it('tasks that come due order one heartbeat for each person, and no bulk at once', async () => {
  const task = (n: number) => ({ id: `${n}`, personId: `p${Math.floor(n / 2)}`, companionId: 'mira' });
  const { messenger, ordered } = ordersWith(
    {},
    Array.from({ length: 100 }, (_, n) => task(n)),
  );
  await orderDueTasks(messenger, new Date('2027-01-20T10:00:00Z'));
  expect(ordered).toHaveLength(20);
  expect(ordered[0]).toEqual({ personId: 'p0', companionId: 'mira', day: '2027-01-20', why: 'task' });
});
