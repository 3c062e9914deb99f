import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  memoryContract,
  outreachContract,
  personalityContract,
  present,
  type RequestContract,
} from '@kith/contracts';
import { pino } from 'pino';
import type { Speaker } from '../conversations/conversations.js';
import { answered, NOTHING_FORGOTTEN, withTalk } from '../e2e/talk.js';
import { acceptMessage } from '../inbox/accept-message.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';
import { ForgetOrders } from './forget-orders.js';

const talk = withTalk();

/** Makes orders with which this outreach goes, and tells what the services are asked. */
function ordersTaking(attemptId: string) {
  const asked: { pattern: string; request: Record<string, unknown> }[] = [];
  const ask = async ({ pattern }: RequestContract, request: Record<string, unknown>) => {
    asked.push({ pattern, request });
    const { what, messageIds = [] } = request as { what?: { sources: string[] }; messageIds?: string[] };
    const attemptIds = messageIds.includes('told') ? [attemptId] : [];
    return { ...NOTHING_FORGOTTEN, sources: what?.sources ?? [], noted: [], unread: [], attemptIds };
  };
  const messenger = { ask, enqueue: async () => undefined };
  const orders = new ForgetOrders(
    talk.database,
    talk.locks,
    new TranscriptRedactor(talk.database),
    messenger as never,
    pino({ level: 'silent' }),
    () => undefined,
  );
  const askedOf = ({ pattern }: { pattern: string }) =>
    asked.filter((one) => one.pattern === pattern).map(({ request }) => request);
  return { orders, askedOf };
}

/** Has the companion write first, for a reason of long ago. Returns the attempt. */
async function writeFirst(where: Speaker): Promise<string> {
  const attemptId = randomUUID();
  const text = 'They asked to be reminded of Doctor Ostrander.';
  await acceptMessage(talk.turnStores, {
    ...where,
    door: 'discord',
    externalId: attemptId,
    origin: 'outreach',
    text,
    target: null,
    sentAt: new Date(),
  });
  const turn = { ...answered(), reply: 'A fine day for Ostrander, is it not?' };
  await commitTurn(talk.database, await talk.claim(where), turn, false);
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
    const order = { orderId: randomUUID(), personId: where.personId, until: null };
    await new TranscriptRedactor(talk.database).forgetStarted(order, [attemptId]);
    await commitTurn(talk.database, claim, { ...answered(), reply: 'Ostrander again?' }, false);
    expect(await repliesIn(where)).toEqual(['', '']);
  });
});
