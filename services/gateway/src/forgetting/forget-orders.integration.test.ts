import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AppError, memoryContract, outreachContract, type RequestContract } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { ForgetOrders } from './forget-orders.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

type Answers = Partial<Record<string, () => unknown>>;

/** Orders whose services answer as given, by pattern. Notes what they are asked. */
function ordersWith(answers: Answers) {
  const told: string[] = [];
  const asked: { pattern: string; request: Record<string, unknown> }[] = [];
  const usual: Answers = {
    [memoryContract.forget.pattern]: () => ({ rows: 0, points: 0, memories: [], sources: [], memoryIds: [] }),
    [outreachContract.forget.pattern]: () => ({ rows: 0, attemptIds: [] }),
  };
  const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
    asked.push({ pattern, request });
    return (answers[pattern] ?? usual[pattern])?.() ?? { rows: 0 };
  };
  const messenger = { ask, enqueue: async () => undefined };
  const orders = new ForgetOrders(
    talk.database,
    new TranscriptRedactor(talk.database),
    messenger as never,
    pino({ level: 'silent' }),
    (personId) => told.push(personId),
  );
  const askedOf = ({ pattern }: { pattern: string }) =>
    asked.filter((one) => one.pattern === pattern).map(({ request }) => request);
  return { orders, askedOf, told };
}

/** Says something, which is answered. */
async function say(where: Speaker): Promise<{ turnId: string; messageId: string }> {
  const messageId = randomUUID();
  await talk.accept(where, messageId);
  const turn = answered();
  await commitTurn(talk.database, await talk.claim(where), turn, false);
  return { turnId: turn.turnId, messageId };
}

async function withheldOf(turnId: string): Promise<unknown[]> {
  const rows = await talk.stores.query('SELECT withheld FROM transcript WHERE turn_id = $1 ORDER BY id', [
    turnId,
  ]);
  return rows.map(({ withheld }) => withheld);
}

const away = () => {
  throw new AppError('unavailable', 'memory is away');
};

it('an undo that was broken off has the same turns remembered when it is tried again', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const undoing = { isDown: true };
  const { orders, askedOf, told } = ordersWith({
    [memoryContract.undoForget.pattern]: () => (undoing.isDown ? away() : { rows: 0 }),
  });
  const { receipt } = await orders.forget({
    ...{ personId: where.personId, what: { kind: 'sources', sources: [messageId] } },
    ...{ keepTalk: false, preview: false },
  });
  expect(await withheldOf(turnId)).toEqual(['forgotten', 'forgotten']);
  await expect(orders.undo(where.personId, receipt!)).rejects.toMatchObject({ code: 'unavailable' });
  undoing.isDown = false;
  expect(await orders.undo(where.personId, receipt!)).toEqual({ rows: 0, lines: 2 });
  expect(askedOf(memoryContract.undoForget)).toMatchObject([{ turnIds: [turnId] }, { turnIds: [turnId] }]);
  expect(await withheldOf(turnId)).toEqual([null, null]);
  expect(told).toEqual([where.personId, where.personId]);
  // Nothing of it is left that could be undone, or read.
  expect(await talk.stores.query('SELECT 1 FROM sealed_lines WHERE order_id = $1', [receipt])).toEqual([]);
  await expect(orders.undo(where.personId, receipt!)).rejects.toMatchObject({ code: 'not_found' });
});

it('an undo waits for who carries the order out, and nobody does so after it', async () => {
  const where = await talk.place();
  const { turnId, messageId } = await say(where);
  const memory = { isDown: true };
  let release!: () => void;
  const held = new Promise<void>((resolve) => (release = resolve));
  const { orders, askedOf } = ordersWith({
    [memoryContract.forget.pattern]: async () => {
      if (memory.isDown) away();
      await held;
      return { rows: 0, points: 0, memories: [], sources: [messageId], memoryIds: [] };
    },
  });
  const forgetting = orders.forget({
    ...{ personId: where.personId, what: { kind: 'sources', sources: [messageId] } },
    ...{ keepTalk: false, preview: false },
  });
  const refused = await forgetting.catch((error: unknown) => error as AppError);
  const receipt = 'details' in refused ? String(refused.details?.['receipt']) : '';
  memory.isDown = false;
  await talk.stores.query(`UPDATE forget_orders SET at = at - interval '1 minute' WHERE id = $1`, [receipt]);
  const resuming = orders.resume();
  await eventually('it is carried out', async () => askedOf(memoryContract.forget).length === 2);
  const undoing = orders.undo(where.personId, receipt);
  release();
  expect(await undoing).toMatchObject({ lines: 2 });
  await resuming;
  expect(await orders.resume()).toBe(0);
  expect(askedOf(memoryContract.forget)).toHaveLength(2);
  expect(await withheldOf(turnId)).toEqual([null, null]);
});
