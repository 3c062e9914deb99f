import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { AppError, memoryContract, type RequestContract } from '@kith/contracts';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { ForgetOrders } from './forget-orders.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

interface Asked {
  pattern: string;
  request: Record<string, unknown>;
}

/** Orders, with what the services are asked; memory has noted this for others. */
function ordersWith(found: () => { personId: string; messageIds: string[] }[]) {
  const asked: Asked[] = [];
  const nothing = {
    rows: 0,
    points: 0,
    memories: [],
    sources: [],
    memoryIds: [],
    attemptIds: [],
    unread: [],
  };
  const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
    asked.push({ pattern, request });
    return pattern === memoryContract.findNoted.pattern ? { noted: found() } : nothing;
  };
  const messenger = { ask, enqueue: async () => undefined };
  const redactor = new TranscriptRedactor(talk.database);
  const logger = pino({ level: 'silent' });
  const orders = new ForgetOrders(talk.lockedStores, redactor, messenger as never, logger, () => undefined);
  const askedOf = (contract: { pattern: string }, personId: string) =>
    asked.flatMap(({ pattern, request }) =>
      pattern === contract.pattern && request['personId'] === personId ? [request] : [],
    );
  return { orders, asked, askedOf };
}

async function say(where: Speaker): Promise<string> {
  const messageId = randomUUID();
  await talk.accept(where, messageId);
  await commitTurn(talk.database, await talk.claim(where), answered(), false);
  return messageId;
}

const asks = ({ personId }: Speaker, messageId: string) => ({
  ...{ personId, what: { kind: 'sources' as const, sources: [messageId] } },
  ...{ keepTalk: false, preview: false },
});

it('only who had a turn in the channel since is asked for, and only with what was said there', async () => {
  const [early, bob, ann] = (await talk.channelOf(3)) as [Speaker, Speaker, Speaker];
  await say(early);
  const alone = await talk.placeOf(bob.personId);
  const [shared, inDirect] = [await say(bob), await say(alone)];
  await say(ann);
  const { orders, asked, askedOf } = ordersWith(() => [{ personId: ann.personId, messageIds: [shared] }]);
  const what = { kind: 'sources' as const, sources: [shared, inDirect] };
  await orders.forget({ ...asks(bob, shared), what });
  expect(asked.filter(({ pattern }) => pattern === memoryContract.findNoted.pattern)).toEqual([
    {
      pattern: memoryContract.findNoted.pattern,
      request: { personIds: [ann.personId], messageIds: [shared] },
    },
  ]);
  expect(askedOf(memoryContract.forget, ann.personId)).toMatchObject([
    { what: { kind: 'sources', sources: [shared] } },
  ]);
  expect(askedOf(memoryContract.forget, early.personId)).toEqual([]);
});

it('a note that a turn under way is about to make is forgotten, and an undo allows it again', async () => {
  const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const messageId = await say(bob);
  await talk.accept(ann, randomUUID());
  await talk.claim(ann);
  const { orders, askedOf } = ordersWith(() => []);
  const { receipt } = await orders.forget(asks(bob, messageId));
  const [given] = askedOf(memoryContract.forget, ann.personId) as [{ orderId: string }];
  expect(given).toMatchObject({ what: { kind: 'sources', sources: [messageId] } });
  await orders.undo(bob.personId, receipt!);
  expect(askedOf(memoryContract.undoForget, ann.personId)).toMatchObject([{ orderId: given.orderId }]);
  expect(await talk.stores.query('SELECT 1 FROM forget_orders WHERE id = $1', [given.orderId])).toEqual([]);
});

it('what is kept in the talk stays in notes of it', async () => {
  const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const messageId = await say(bob);
  await say(ann);
  const { orders, askedOf } = ordersWith(() => [{ personId: ann.personId, messageIds: [messageId] }]);
  await orders.forget({ ...asks(bob, messageId), keepTalk: true });
  expect(askedOf(memoryContract.forget, ann.personId)).toEqual([]);
});

it('is gone on with after memory was away, once for each order', async () => {
  const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const messageId = await say(bob);
  await say(ann);
  const memory = { isAway: true };
  const { orders, askedOf } = ordersWith(() => {
    if (memory.isAway) throw new AppError('unavailable', 'memory is away');
    return [{ personId: ann.personId, messageIds: [messageId] }];
  });
  await expect(orders.forget(asks(bob, messageId))).rejects.toMatchObject({ code: 'unavailable' });
  expect(askedOf(memoryContract.forget, ann.personId)).toEqual([]);
  memory.isAway = false;
  for (let round = 0; round < 2; round += 1) {
    await talk.stores.query(
      `UPDATE forget_orders SET at = now() - interval '1 minute' WHERE person_id = $1`,
      [bob.personId],
    );
    await orders.resume();
  }
  expect(askedOf(memoryContract.forget, ann.personId)).toHaveLength(1);
});
