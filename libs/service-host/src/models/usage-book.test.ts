import { afterEach, describe, expect, it, jest } from '@jest/globals';
import type { ModelUsage } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { UsageBook } from './usage-book.js';

const TURN = '0197b7a0-0000-7000-8000-000000000001';

function bookInto(write: (rows: ModelUsage[]) => Promise<void>): UsageBook {
  const book = new UsageBook();
  book.start(write, { warn: () => undefined });
  return book;
}

function call(turnId?: string, cost: number | null = 0.5) {
  return {
    role: 'chat',
    model: 'host:model',
    account: turnId === undefined ? {} : { turnId },
    cost,
    usage: { promptTokens: 10, completionTokens: 2 },
    usageIsEstimated: false,
  };
}

describe('a usage book', () => {
  afterEach(() => void jest.useRealTimers());

  it('adds calls of one kind up to one row, and writes each row once', async () => {
    const written: ModelUsage[] = [];
    const book = bookInto(async (rows) => void written.push(...rows));
    book.note(call());
    book.note(call());
    book.note(call(TURN));
    await book.drain();
    await book.drain();
    expect(written).toMatchObject([
      { calls: 2, promptTokens: 20, completionTokens: 4, cost: 1, turnId: null },
      { calls: 1, turnId: TURN },
    ]);
  });

  it('lets a turn take its own rows, and writes them when they come back', async () => {
    const written: ModelUsage[] = [];
    const book = bookInto(async (rows) => void written.push(...rows));
    book.note(call(TURN));
    const taken = book.take(TURN);
    await book.drain();
    expect(written).toEqual([]);
    book.giveBack(taken);
    await book.drain();
    expect(written).toEqual(taken);
  });

  it('tries again what could not be written, as it was', async () => {
    const tried: ModelUsage[][] = [];
    const book = bookInto(async (rows) => {
      tried.push(structuredClone(rows));
      if (tried.length === 1) throw new Error('away');
    });
    book.note(call());
    await book.drain();
    book.note(call());
    await book.drain();
    expect(tried[1]![0]).toEqual(tried[0]![0]);
    expect(tried[1]).toHaveLength(2);
  });

  it('leaves what the gateway did not take for its next start, as it was', async () => {
    const reported: ModelUsage[][] = [];
    const left: ModelUsage[][] = [];
    const gateway = {
      canOrder: true,
      ask: (_: unknown, { usage }: { usage: ModelUsage[] }) => {
        reported.push(structuredClone(usage));
        return Promise.reject(new Error('away'));
      },
      announce: (_: unknown, { usage }: { usage: ModelUsage[] }) => Promise.resolve(void left.push(usage)),
    };
    const book = new UsageBook();
    book.reportTo(gateway as unknown as Messenger, { warn: () => undefined });
    book.note(call(TURN));
    await book.close();
    expect(left).toEqual(reported);
    expect(left).toMatchObject([[{ calls: 1, turnId: TURN }]]);
    await book.close();
    expect(left).toHaveLength(1);
  });

  it('leaves nothing while Redis is away', async () => {
    const announce = jest.fn(() => Promise.resolve());
    const away = { canOrder: false, ask: () => Promise.reject(new Error('away')), announce };
    const book = new UsageBook();
    book.reportTo(away as unknown as Messenger, { warn: () => undefined });
    book.note(call(TURN));
    await book.close();
    expect(announce).not.toHaveBeenCalled();
  });

  it('knows no cost where one of the calls has none, and counts nothing that cost no token', async () => {
    const written: ModelUsage[] = [];
    const book = bookInto(async (rows) => void written.push(...rows));
    book.note(call());
    book.note(call(undefined, null));
    book.note({ ...call(TURN), usage: { promptTokens: 0, completionTokens: 0 } });
    await book.drain();
    expect(written).toMatchObject([{ calls: 2, cost: null }]);
  });

  it('knows for ten minutes whose tokens are spent, by the word of the gateway', async () => {
    const { report, spent, answer } = reporting('2026-03-01T12:00:00Z');
    expect(spent()).toEqual([false, false, false]);
    answer.spent = ['ann'];
    await report();
    expect(spent()).toEqual([true, false, false]);
    answer.spent = [null];
    await report();
    expect(spent()).toEqual([true, true, true]);
    jest.advanceTimersByTime(601_000);
    expect(spent()).toEqual([false, false, false]);
  });

  it('lets the next day of UTC begin with nothing spent', async () => {
    const { report, spent, answer } = reporting('2026-03-01T23:59:00Z');
    answer.spent = ['ann', null];
    await report();
    jest.advanceTimersByTime(59_000);
    expect(spent()).toEqual([true, true, true]);
    jest.advanceTimersByTime(1_001);
    expect(spent()).toEqual([false, false, false]);
  });
});

/** Opens a book at a time of a clock that stands still, which reports to a gateway with this answer. */
function reporting(at: string) {
  jest.useFakeTimers({ now: new Date(at) });
  const answer: { spent: (string | null)[] } = { spent: [] };
  const book = new UsageBook();
  const ask = () => Promise.resolve(answer);
  book.reportTo({ ask } as unknown as Messenger, { warn: () => undefined });
  const report = () => {
    book.note(call());
    return book.drain();
  };
  const spent = () => ['ann', 'bo', undefined].map((personId) => book.isSpent({ personId }));
  return { report, spent, answer };
}
