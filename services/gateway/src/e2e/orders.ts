import { jest } from '@jest/globals';
import { AppError, memoryContract, outreachContract, type RequestContract } from '@kith/contracts';
import { pino } from 'pino';
import { NOTHING_FORGOTTEN, type withTalk } from './talk.js';

type Answers = Partial<Record<string, (request: Record<string, unknown>) => unknown>>;

/** Makes orders to forget, and looks at what they withhold of a talk. */
export function withOrders(talk: ReturnType<typeof withTalk>) {
  /** Orders whose services answer as given, by pattern. Notes what they are asked. */
  function ordersWith(answers: Answers) {
    const told: string[] = [];
    const asked: { pattern: string; request: Record<string, unknown> }[] = [];
    const usual: Answers = {
      [memoryContract.forget.pattern]: () => NOTHING_FORGOTTEN,
      [memoryContract.findNoted.pattern]: () => ({ noted: [] }),
      [memoryContract.undoForget.pattern]: () => ({ rows: 0, unread: [] }),
      [outreachContract.forget.pattern]: () => ({ rows: 0, attemptIds: [] }),
    };
    const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
      asked.push({ pattern, request });
      return (answers[pattern] ?? usual[pattern])?.(request) ?? { rows: 0 };
    };
    const logger = pino({ level: 'silent' });
    const warn = jest.spyOn(logger, 'warn');
    const orders = talk.forgetOrders(ask, { logger, tellOpenPages: (personId) => told.push(personId) });
    const askedOf = ({ pattern }: { pattern: string }) =>
      asked.filter((one) => one.pattern === pattern).map(({ request }) => request);
    /** Orders that what these messages said be forgotten. */
    const forget = (personId: string, ...sources: string[]) =>
      orders.forget({ personId, what: { kind: 'sources', sources }, keepTalk: false, preview: false });
    return { orders, forget, asked, askedOf, told, warn };
  }

  async function withheldOf(turnId: string): Promise<unknown[]> {
    const rows = await talk.stores.query('SELECT withheld FROM transcript WHERE turn_id = $1 ORDER BY id', [
      turnId,
    ]);
    return rows.map(({ withheld }) => withheld);
  }

  return { ordersWith, withheldOf };
}

/** Answers for a service that is away. */
export const away = () => {
  throw new AppError('unavailable', 'memory is away');
};
