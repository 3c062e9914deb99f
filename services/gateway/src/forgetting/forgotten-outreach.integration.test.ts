import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  memoryContract,
  outreachContract,
  personalityContract,
  present,
  type RequestContract,
} from '@kith/contracts';
import type { Speaker } from '../conversations/conversations.js';
import { answered, NOTHING_FORGOTTEN, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';

const talk = withTalk();

/** Part of what the services are asked. */
interface ForgetRequest {
  what: { sources: string[] };
  messageIds: string[];
  replyTurnIds: string[];
}

/**
 * Makes orders with which this outreach goes, and tells what the services are asked.
 * @param promised outreach that a reply has promised
 */
function ordersTaking(attemptId: string, promised: { turnId?: string; attemptId?: string } = {}) {
  const asked: { pattern: string; request: Record<string, unknown> }[] = [];
  const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
    asked.push({ pattern, request });
    const { what, messageIds = [], replyTurnIds = [] } = request as Partial<ForgetRequest>;
    const attemptIds = [
      ...(messageIds.includes('told') ? [attemptId] : []),
      ...replyTurnIds.flatMap((id) => (id === promised.turnId ? (promised.attemptId ?? []) : [])),
    ];
    return { ...NOTHING_FORGOTTEN, sources: what?.sources ?? [], noted: [], unread: [], attemptIds };
  };
  const orders = talk.forgetOrders(ask);
  const askedOf = ({ pattern }: { pattern: string }) =>
    asked.filter((one) => one.pattern === pattern).map(({ request }) => request);
  return { orders, askedOf };
}

/** Has the companion write first, for a reason of long ago. Returns the attempt. */
async function writeFirst(
  where: Speaker,
  reply = 'A fine day for Ostrander, is it not?',
  text = 'They asked to be reminded of Doctor Ostrander.',
): Promise<string> {
  const attemptId = randomUUID();
  await talk.say(where, { externalId: attemptId, origin: 'outreach', text, target: null });
  await commitTurn(talk.database, await talk.claim(where), { ...answered(), reply }, false);
  return attemptId;
}

async function repliesIn({ conversationId }: Speaker): Promise<unknown[]> {
  const rows = await talk.stores.query(
    `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
    [conversationId],
  );
  return rows.map(({ text }) => text);
}

const asks = ({ personId }: Speaker, keepTalk = false) => ({
  personId,
  what: { kind: 'sources' as const, sources: ['told'] },
  keepTalk,
  preview: false,
});

describe('outreach whose reason is forgotten', () => {
  it('goes with the later replies that repeat its reason, and comes back with them', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    const repeating = await talk.sayTo(where, 'It is over.', 'I hope Ostrander was kind.');
    await talk.sayTo(where, 'Ostrander was kind', 'Good for Ostrander!');
    await talk.sayTo(where, 'Thanks', 'It was a fine day.');
    const before = await repliesIn(where);
    const { orders, askedOf } = ordersTaking(attemptId);
    const { receipt, lines } = await orders.forget(asks(where));
    expect(lines).toBe(2);
    expect(await repliesIn(where)).toEqual(['', '', 'Good for Ostrander!', 'It was a fine day.']);
    // What was made of that reply goes, too.
    for (const contract of [personalityContract.forget, outreachContract.forget])
      expect(askedOf(contract)).toContainEqual(
        expect.objectContaining({ orderId: receipt, replyTurnIds: [repeating.turnId] }),
      );
    await orders.undo(where.personId, present(receipt));
    expect(await repliesIn(where)).toEqual(before);
  });

  it('is repeated by no reply that the undo of an earlier order brings back, until its own is undone', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    const { messageId } = await talk.sayTo(where, 'It is over.', 'I hope Ostrander was kind.');
    const before = await repliesIn(where);
    const { orders } = ordersTaking(attemptId);
    const one = await orders.forget({ ...asks(where), what: { kind: 'sources', sources: [messageId] } });
    expect(await repliesIn(where)).toEqual([before[0], '']);
    const two = await orders.forget(asks(where));
    await orders.undo(where.personId, present(one.receipt));
    expect(await repliesIn(where)).toEqual(['', '']);
    await orders.undo(where.personId, present(two.receipt));
    expect(await repliesIn(where)).toEqual(before);
  });

  it.each([
    ['stays removed after the undo of an order that took its line before, until its own is undone', true],
    ['does not come back by the undo of such an order once its reason was deleted at its door', false],
  ])('%s', async (_, isUndoable) => {
    const where = await talk.place();
    const { messageId } = await talk.sayTo(where, 'My boat is Zephyrine.', 'Nice.');
    const attemptId = await writeFirst(where, 'How are Zephyrine and Doctor Ostrander?');
    const before = await repliesIn(where);
    const { orders } = ordersTaking(attemptId);
    const one = await orders.forget({ ...asks(where), what: { kind: 'sources', sources: [messageId] } });
    expect(await repliesIn(where)).toEqual(['', '']);
    const deleted = { orderId: randomUUID(), personId: where.personId, until: null, keepTalk: false };
    const two = isUndoable
      ? await orders.forget(asks(where))
      : await new TranscriptRedactor(talk.database).forgetStarted(deleted, [attemptId]);
    await orders.undo(where.personId, present(one.receipt));
    expect(await repliesIn(where)).toEqual([before[0], '']);
    if (!('receipt' in two)) return;
    await orders.undo(where.personId, present(two.receipt));
    expect(await repliesIn(where)).toEqual(before);
  });

  it('is repeated by no reply that comes back once its reason was deleted at its door', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    const { messageId } = await talk.sayTo(where, 'It is over.', 'I hope Ostrander was kind.');
    const { orders } = ordersTaking(attemptId);
    const { receipt } = await orders.forget({
      ...asks(where),
      what: { kind: 'sources', sources: [messageId] },
    });
    await new TranscriptRedactor(talk.database).forgetStarted(
      { orderId: randomUUID(), personId: where.personId, until: null, keepTalk: false },
      [attemptId],
    );
    await orders.undo(where.personId, present(receipt));
    expect(await repliesIn(where)).toEqual(['', '']);
  });

  it('leaves the later replies where the talk is kept', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    await talk.sayTo(where, 'It is over.', 'I hope Ostrander was kind.');
    await ordersTaking(attemptId).orders.forget(asks(where, true));
    expect(await repliesIn(where)).toEqual(['', 'I hope Ostrander was kind.']);
  });

  it('takes along what was written for a promise in such a reply', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    const { turnId } = await talk.sayTo(where, 'It is over.', 'I will ask again, Ostrander or not.');
    const promised = {
      turnId,
      attemptId: await writeFirst(where, 'How are you now?', 'They are to be asked.'),
    };
    const { orders, askedOf } = ordersTaking(attemptId, promised);
    const { receipt } = await orders.forget(asks(where));
    expect(await repliesIn(where)).toEqual(['', '', '']);
    const called = await talk.stores.query(
      `SELECT what -> 'attemptIds' AS ids FROM forget_orders WHERE id = $1`,
      [receipt],
    );
    const both = [attemptId, promised.attemptId].toSorted();
    expect((called[0]!['ids'] as string[]).toSorted()).toEqual(both);
    expect(askedOf(memoryContract.forget)[1]).toMatchObject({
      what: { sources: [attemptId, promised.attemptId] },
    });
    await orders.undo(where.personId, present(receipt));
    expect(await repliesIn(where)).not.toContain('');
  });

  it('asks no more for its words', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    const { turnId } = await talk.sayTo(where, 'Write to them', 'May I?');
    await talk.stores.query(
      `INSERT INTO tool_calls (id, key, person_id, companion_id, conversation_id, turn_id, tool, pin, place, arguments,
         status, expires_at)
       VALUES (gen_random_uuid(), $3::text, $1, 'mira', $2, $3::uuid, 'mail', 'pin', '{}', '{"to": "Ostrander"}', 'waiting',
         now() + interval '1 hour')`,
      [where.personId, where.conversationId, turnId],
    );
    await ordersTaking(attemptId).orders.forget(asks(where));
    const left = 'SELECT status FROM tool_calls WHERE person_id = $1';
    expect(await talk.stores.query(left, [where.personId])).toEqual([]);
  });

  it.each([false, true])('takes along what was noted as it was written (talk kept: %s)', async (keepTalk) => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    const { orders, askedOf } = ordersTaking(attemptId);
    const { receipt } = await orders.forget(asks(where, keepTalk));
    const [, ofNotes] = askedOf(memoryContract.forget);
    expect(ofNotes).toMatchObject({
      personId: where.personId,
      what: { kind: 'sources', sources: [attemptId] },
      undoUntil: expect.any(String),
    });
    await orders.undo(where.personId, present(receipt));
    const undone = askedOf(memoryContract.undoForget).map(({ orderId }) => orderId);
    expect(undone).toEqual([receipt, ofNotes!['orderId']]);
  });

  it('keeps no words where it never arrived', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    await talk.stores.query(`UPDATE transcript SET withheld = 'undelivered' WHERE conversation_id = $1`, [
      where.conversationId,
    ]);
    await ordersTaking(attemptId).orders.forget(asks(where));
    expect(await repliesIn(where)).toEqual(['']);
  });

  it('is told no more by a turn under way that has it in view', async () => {
    const where = await talk.place();
    const attemptId = await writeFirst(where);
    await talk.accept(where, randomUUID());
    const claim = await talk.claim(where);
    const order = { orderId: randomUUID(), personId: where.personId, until: null, keepTalk: false };
    await new TranscriptRedactor(talk.database).forgetStarted(order, [attemptId]);
    await commitTurn(talk.database, claim, { ...answered(), reply: 'Ostrander again?' }, false);
    expect(await repliesIn(where)).toEqual(['', '']);
  });
});
