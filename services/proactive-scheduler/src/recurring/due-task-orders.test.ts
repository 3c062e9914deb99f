import { describe, expect, it } from '@jest/globals';
import type { Messenger } from '@kith/messaging';
import { DueTaskOrders } from './due-task-orders.js';

interface Order {
  personId: string;
  day: string;
  task: { notedAt: string };
}

const noted = (time: string, due = '20T10:30') => ({
  dueAt: `2027-01-${due}:00.000Z`,
  notedAt: `2027-01-${time}:00.000Z`,
});

interface Page {
  from: string;
  to: string;
  after: string | undefined;
  limit: number;
}

/**
 * Orders for two tasks of each of these people, which come due at one time. One person has quiet hours in Tokyo.
 * @param knowsAfter false for a memory of an earlier version
 */
function ordersFor(people: number, due?: string, knowsAfter = true) {
  const asked: Page[] = [];
  const ordered: Order[] = [];
  const tasks = Array.from({ length: 2 * people }, (_, n) => ({
    id: String(n).padStart(5, '0'),
    personId: `p${Math.floor(n / 2)}`,
    companionId: 'mira',
    ...noted('19T10:00', due),
  }));
  const messenger = {
    ask: async (_: object, request: Page) => {
      asked.push(request);
      const { from, to, limit } = request;
      const after = knowsAfter ? request.after : undefined;
      const isNext = ({ id, dueAt }: (typeof tasks)[number]) =>
        dueAt >= from && dueAt < to && (after === undefined || dueAt > from || id > after);
      const page = tasks.filter(isNext).slice(0, limit);
      // It puts those that are due at one time in any order.
      return { tasks: knowsAfter || asked.length % 2 === 0 ? page : page.toReversed() };
    },
    enqueue: async (_: object, order: Order) => void ordered.push(order),
  } as unknown as Pick<Messenger, 'ask' | 'enqueue'>;
  const hours = { timeZone: 'Asia/Tokyo', quietFrom: '22:00', quietUntil: '08:00' };
  const records = {
    quietHours: async () => [hours],
    quietHoursOf: async () => (personId: string) => (personId === 'p0' ? hours : undefined),
  };
  return { orders: new DueTaskOrders(messenger, records), messenger, asked, ordered, tasks };
}

const at = (time: string) => new Date(`2027-01-${time}:00Z`);

describe('tasks that come due', () => {
  it('order one heartbeat for each person, and no bulk at once', async () => {
    const { orders, ordered } = ordersFor(50);
    await orders.order(at('20T10:00'));
    expect(ordered).toHaveLength(20);
    const order = { personId: 'p0', companionId: 'mira', day: '2027-01-20', why: 'task' };
    expect(ordered[0]).toEqual({ ...order, task: noted('19T10:00') });
  });

  it('order again for one that was noted since', async () => {
    const { orders, ordered, tasks } = ordersFor(1);
    await orders.order(at('20T10:00'));
    tasks.unshift({ id: 'late', personId: 'p0', companionId: 'mira', ...noted('20T10:01') });
    for (const time of ['20T10:05', '20T10:10']) await orders.order(at(time));
    expect(ordered.map(({ task }) => task.notedAt)).toEqual(
      ['19T10:00', '20T10:01'].map((time) => noted(time).notedAt),
    );
  });

  it('at a common hour are all ordered for, a few at a time', async () => {
    const { orders, asked, ordered } = ordersFor(50);
    for (const time of ['20T10:00', '20T10:05', '20T10:10', '20T10:15']) await orders.order(at(time));
    expect(ordered).toHaveLength(50);
    expect(new Set(ordered.map(({ personId }) => personId)).size).toBe(50);
    // Also what came due while nobody looked, and nothing of the night before one begins.
    expect(asked).toHaveLength(8);
    expect(asked.slice(0, 2)).toMatchObject([
      { from: '2027-01-20T10:00:00.000Z', to: '2027-01-20T11:00:00.000Z', limit: 500 },
      { from: '2027-01-20T04:00:00.000Z', to: '2027-01-20T10:00:00.000Z', limit: 500 },
    ]);
  });

  it.each([
    ['a page at a time', true, 600],
    ['as far as a memory of an earlier version goes', false, 250],
  ])('are all read, however many come due at one time, %s', async (_, knowsAfter, reached) => {
    const { orders, ordered } = ordersFor(600, undefined, knowsAfter);
    for (let run = 0; run < 31; run += 1) await orders.order(at('20T10:00'));
    expect(new Set(ordered.map(({ personId }) => personId)).size).toBe(reached);
  });

  it('order again on another day', async () => {
    const { orders, ordered } = ordersFor(1, '20T23:59');
    for (const time of ['20T23:50', '20T23:55', '21T00:05']) await orders.order(at(time));
    expect(ordered.map(({ day }) => day)).toEqual(['2027-01-20', '2027-01-21']);
  });

  it('soon are ordered for where those of the night cannot be read', async () => {
    const { orders, messenger, ordered } = ordersFor(2, '20T12:30');
    const read = messenger.ask.bind(messenger);
    messenger.ask = (contract, request) =>
      (request as Page).from === at('20T13:05').toISOString()
        ? Promise.reject(new Error('out of reach'))
        : read(contract, request);
    await expect(orders.order(at('20T12:05'))).rejects.toThrow('out of reach');
    expect(ordered.map(({ personId }) => personId)).toEqual(['p0', 'p1']);
  });

  it('in quiet hours are ordered for within the hour before those', async () => {
    // At two at night in Tokyo, where the quiet hours begin at 13:00 UTC.
    const { orders, ordered } = ordersFor(2, '20T17:00');
    await orders.order(at('20T11:55'));
    expect(ordered).toEqual([]);
    for (const time of ['20T12:05', '20T12:10']) await orders.order(at(time));
    expect(ordered.map(({ personId }) => personId)).toEqual(['p0']);
    const { orders: behind, ordered: afterBulk, tasks } = ordersFor(600, '20T15:00');
    tasks.push({ id: 'last', personId: 'p0', companionId: 'mira', ...noted('19T10:00', '20T17:00') });
    tasks.splice(0, 2);
    await behind.order(at('20T12:05'));
    expect(afterBulk.map(({ personId }) => personId)).toEqual(['p0']);
    const { orders: late, ordered: inNight } = ordersFor(1, '20T17:00');
    await late.order(at('20T13:05'));
    expect(inNight).toEqual([]);
  });
});
