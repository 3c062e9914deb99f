import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { AppError, erasedError, memoryContract, type RequestContract } from '@kith/contracts';
import type { Speaker } from '../conversations/conversations.js';
import { answered, marks, NOTHING_FORGOTTEN, NOTHING_MADE, withTalk } from '../e2e/talk.js';
import { ErasureRecords } from '../erasure/erasure-records.js';
import { commitTurn } from '../outcome/commit-turn.js';

const talk = withTalk();

interface Asked {
  pattern: string;
  request: Record<string, unknown>;
}

/** Orders, with what the services are asked; memory has noted this for others. Each question is heard before its answer. */
function ordersWith(
  found: () => { personId: string; messageIds: string[] }[],
  hear: (asked: Asked) => unknown = () => undefined,
) {
  const asked: Asked[] = [];
  const told: string[] = [];
  const nothing = { ...NOTHING_FORGOTTEN, attemptIds: [], unread: [] };
  const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
    asked.push({ pattern, request });
    await hear({ pattern, request });
    if (pattern !== memoryContract.findNoted.pattern) return nothing;
    const personIds = request['personIds'] as string[];
    return { noted: found().filter(({ personId }) => personIds.includes(personId)) };
  };
  const orders = talk.forgetOrders(ask, { tellOpenPages: (personId) => told.push(personId) });
  const askedOf = (contract: { pattern: string }, personId: string) =>
    asked.flatMap(({ pattern, request }) =>
      pattern === contract.pattern && request['personId'] === personId ? [request] : [],
    );
  return { orders, asked, askedOf, told };
}

const say = async (where: Speaker) => (await talk.exchange(where)).messageId;

async function linesOf(turnId: string): Promise<unknown[]> {
  const rows = await talk.stores.query('SELECT text FROM transcript WHERE turn_id = $1 ORDER BY id', [
    turnId,
  ]);
  return rows.map(({ text }) => text);
}

const asks = ({ personId }: Speaker, messageId: string) => ({
  personId,
  what: { kind: 'sources' as const, sources: [messageId] },
  keepTalk: false,
  preview: false,
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

it('is no failure for whose own words are gone, and goes on by itself', async () => {
  const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const messageId = await say(bob);
  await say(ann);
  const memory = { isAway: true };
  const { orders, askedOf } = ordersWith(
    () => [{ personId: ann.personId, messageIds: [messageId] }],
    ({ request }) => {
      if (memory.isAway && request['personId'] === ann.personId)
        throw new AppError('unavailable', 'memory is away');
    },
  );
  expect(await orders.forget(asks(bob, messageId))).toMatchObject({ lines: 2 });
  expect(askedOf(memoryContract.forget, ann.personId)).toHaveLength(1);
  memory.isAway = false;
  await talk.stores.query(`UPDATE forget_orders SET at = now() - interval '1 minute' WHERE person_id = $1`, [
    ann.personId,
  ]);
  await orders.resume();
  expect(askedOf(memoryContract.forget, ann.personId)).toHaveLength(2);
  expect(await talk.stores.query('SELECT 1 FROM forget_orders WHERE finished_at IS NULL')).toEqual([]);
});

it('is put back later where that fails, and whoever said it reads their own words again at once', async () => {
  const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const messageId = await say(bob);
  await say(ann);
  const memory = { isAway: false };
  const { orders, askedOf, told } = ordersWith(
    () => [{ personId: ann.personId, messageIds: [messageId] }],
    ({ request }) => {
      if (memory.isAway && request['personId'] === ann.personId)
        throw new AppError('unavailable', 'memory is away');
    },
  );
  const { receipt } = await orders.forget(asks(bob, messageId));
  memory.isAway = true;
  told.length = 0;
  expect(await orders.undo(bob.personId, receipt!)).toMatchObject({ lines: 2 });
  expect(told).toEqual([bob.personId]);
  memory.isAway = false;
  await talk.stores.query(`UPDATE forget_orders SET at = now() - interval '1 minute' WHERE id = $1`, [
    receipt,
  ]);
  await orders.resume();
  expect(askedOf(memoryContract.undoForget, ann.personId)).toHaveLength(2);
  // Their own words are put back once.
  expect(askedOf(memoryContract.undoForget, bob.personId)).toHaveLength(1);
  expect(await talk.stores.query('SELECT 1 FROM forget_orders WHERE id = $1', [receipt])).toEqual([]);
});

it('an order for what a turn under way may note yet leaves replies of that person elsewhere alone', async () => {
  const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const messageId = await say(bob);
  const alone = await talk.placeOf(ann.personId);
  const claims = [];
  for (const where of [ann, alone]) {
    await talk.accept(where, randomUUID());
    claims.push(await talk.claim(where));
  }
  const { orders, askedOf } = ordersWith(() => []);
  await orders.forget(asks(bob, messageId));
  expect(askedOf(memoryContract.forget, ann.personId)).toHaveLength(1);
  const replies = [];
  for (const claim of claims) {
    const turn = answered();
    await commitTurn(talk.database, claim, turn, false);
    replies.push((await linesOf(turn.turnId)).at(-1));
  }
  // Where it was said, the reply may repeat it.
  expect(replies).toEqual(['', 'hi Ann']);
});

describe('somebody who is erased', () => {
  const records = () => new ErasureRecords(talk.database, marks);
  /** Refuses to write for somebody, as each store does for who was erased. */
  const refuseFor =
    (contract: { pattern: string }, { personId }: Speaker) =>
    ({ pattern, request }: Asked) => {
      if (pattern === contract.pattern && request['personId'] === personId) throw erasedError(undefined);
    };

  it('while another’s words are forgotten holds that up neither for them nor for a third', async () => {
    const [bob, ann, cy] = (await talk.channelOf(3)) as [Speaker, Speaker, Speaker];
    const messageId = await say(bob);
    for (const one of [ann, cy]) await say(one);
    const noted = [ann, cy].map(({ personId }) => ({ personId, messageIds: [messageId] }));
    const { orders, askedOf } = ordersWith(() => noted, refuseFor(memoryContract.forget, ann));
    const { receipt } = await orders.forget(asks(bob, messageId));
    expect(receipt).toEqual(expect.any(String));
    expect(askedOf(memoryContract.forget, cy.personId)).toHaveLength(1);
  });

  it('while it is looked up who has notes of it gets no order, and the others get theirs', async () => {
    const [bob, ann, cy] = (await talk.channelOf(3)) as [Speaker, Speaker, Speaker];
    const messageId = await say(bob);
    for (const one of [ann, cy]) await say(one);
    const noted = [ann, cy].map(({ personId }) => ({ personId, messageIds: [messageId] }));
    const { orders, askedOf } = ordersWith(
      () => noted,
      async ({ pattern }) => {
        if (pattern === memoryContract.findNoted.pattern) await records().begin(ann.personId, 'person');
      },
    );
    await expect(orders.forget(asks(bob, messageId))).rejects.toMatchObject({ code: 'unavailable' });
    await talk.stores.query(`UPDATE forget_orders SET at = at - interval '1 minute' WHERE person_id = $1`, [
      bob.personId,
    ]);
    await orders.resume();
    expect(askedOf(memoryContract.forget, cy.personId)).toHaveLength(1);
    expect(askedOf(memoryContract.forget, ann.personId)).toEqual([]);
  });

  it('before an undo for another has nothing put back, and that one has', async () => {
    const [bob, ann] = (await talk.channelOf(2)) as [Speaker, Speaker];
    const { turnId, messageId } = await talk.sayTo(bob, 'My boat is blue.', 'I see.');
    await say(ann);
    const { orders, askedOf } = ordersWith(
      () => [{ personId: ann.personId, messageIds: [messageId] }],
      refuseFor(memoryContract.undoForget, ann),
    );
    const { receipt } = await orders.forget(asks(bob, messageId));
    await records().begin(ann.personId, 'person');
    expect(await orders.undo(bob.personId, receipt!)).toMatchObject({ lines: 2 });
    expect(await linesOf(turnId)).toEqual(['My boat is blue.', 'I see.']);
    expect(askedOf(memoryContract.undoForget, bob.personId)).toHaveLength(1);
    expect(await talk.stores.query('SELECT 1 FROM forget_orders WHERE id = $1', [receipt])).toEqual([]);
  });

  it('gets nothing back by an undo of their own that was broken off', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    const { messageId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
    const { turnId } = await talk.sayTo(bob, 'Which word did she say?', 'It was zebra77.');
    const { orders } = ordersWith(() => []);
    const { receipt } = await orders.forget(asks(ann, messageId));
    await talk.stores.query(
      `UPDATE forget_orders SET reason = 'undone', finished_at = NULL, at = at - interval '1 minute' WHERE id = $1`,
      [receipt],
    );
    await records().begin(ann.personId, 'person');
    await orders.resume();
    expect(await linesOf(turnId)).toEqual(['Which word did she say?', '']);
  });

  it('is quoted by no reply that the undo of another brings back', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
    const quoted = await talk.sayTo(bob, 'Which word did she say?', 'It was zebra77.');
    const { orders } = ordersWith(() => []);
    const { receipt } = await orders.forget(asks(bob, quoted.messageId));
    await records().begin(ann.personId, 'person');
    await records().eraseRest(ann.personId, NOTHING_MADE);
    await orders.undo(bob.personId, receipt!);
    expect(await linesOf(quoted.turnId)).toEqual(['Which word did she say?', '']);
  });
});
