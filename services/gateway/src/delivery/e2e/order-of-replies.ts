import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { uuid7 } from '@kith/database';
import { askForTool } from '../../safety/question-text.js';
import {
  stores,
  database,
  outbox,
  admin,
  ANN,
  now,
  minutesAgo,
  reply,
  replyInTranscript,
  rowOf,
  noteResult,
  arrived,
  lostAnswer,
} from './open-outbox.js';

/** Tests which replies a door may send, and what it is told of them. */
export function orderOfReplies(): void {
  describe('replies to one person in a conversation', () => {
    it('are sent in their order: a later one waits for the one that is tried again', async () => {
      const conversationId = randomUUID();
      const first = await reply(conversationId, minutesAgo(2));
      const second = await reply(conversationId, minutesAgo(1));
      expect(await outbox.claim(second, now)).toEqual({ kind: 'not-yet', retryAfterMs: 300 });
      expect(await outbox.claim(first, now)).toMatchObject({ kind: 'claimed', attempt: 1 });
      expect(await noteResult(first, lostAnswer)).toEqual({ retryAfterMs: 1_000 });
      expect((await outbox.claim(second, now)).kind).toBe('not-yet');
      await noteResult(first, arrived('m1'));
      expect(await outbox.claim(second, now)).toMatchObject({ kind: 'claimed' });
    });

    it('are not held up by replies to others there', async () => {
      const conversationId = randomUUID();
      await reply(conversationId, minutesAgo(2), 0, randomUUID());
      expect((await outbox.claim(await reply(conversationId), now)).kind).toBe('claimed');
    });

    it('are deleted without waiting, once their words were forgotten', async () => {
      const conversationId = randomUUID();
      await reply(conversationId, minutesAgo(2));
      const id = await reply(conversationId);
      await stores.query('UPDATE outbox SET forgotten_at = now() WHERE id = $1', [id]);
      expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', isForgotten: true });
    });

    it('are not held up for ever by one that gets nowhere, nor by those of other conversations', async () => {
      const conversationId = randomUUID();
      await reply(conversationId, minutesAgo(20));
      expect((await outbox.claim(await reply(conversationId), now)).kind).toBe('claimed');
      expect((await outbox.claim(await reply(randomUUID()), now)).kind).toBe('claimed');
    });
  });

  describe('a reply that asks for a tool', () => {
    /** A reply with its question, of which a row stands with this status. */
    const asking = async (status: string | null) => {
      const id = await reply(randomUUID());
      const { turnId } = await rowOf(id);
      const text = `Gladly.\n\n${askForTool('send_note')}\n· to: \`Zephyrine\``;
      await database.asSystem((tx) => tx.outboxMessage.update({ where: { id }, data: { text } }));
      if (status !== null)
        await stores.query(
          `INSERT INTO tool_calls (id, key, person_id, companion_id, turn_id, tool, pin, place, arguments, status, expires_at)
         VALUES (gen_random_uuid(), gen_random_uuid()::text, $1, 'mira', $2, 'send_note', 'pin', '{}', '{}', $3, $4)`,
          [ANN, turnId, status, new Date(now.getTime() + 60_000)],
        );
      const claimed = await outbox.claim(id, now);
      if (claimed.kind !== 'claimed') throw new Error(claimed.kind);
      return { text: claimed.text, tools: (claimed.questions ?? []).map(({ tool }) => tool), whole: text };
    };

    it('asks while its question waits, and tells what it asked once that is answered', async () => {
      const waiting = await asking('waiting');
      expect(waiting).toMatchObject({ text: waiting.whole, tools: ['send_note'] });
      const answered = await asking('done');
      expect(answered).toMatchObject({ text: answered.whole, tools: [] });
    });

    it('has its buttons in the order of its questions, whichever was noted first', async () => {
      const id = await reply(randomUUID());
      const { turnId } = await rowOf(id);
      const ids = [uuid7(), uuid7(), uuid7()];
      for (const [n, one] of ids.entries())
        await stores.query(
          `INSERT INTO tool_calls (id, key, person_id, companion_id, turn_id, tool, pin, place, arguments, status, asked_at,
           expires_at)
         VALUES ($1, gen_random_uuid()::text, $2, 'mira', $3, 'send_note', 'pin', '{}', '{}', 'waiting', $4, $5)`,
          [one, ANN, turnId, minutesAgo(n), new Date(now.getTime() + 60_000)],
        );
      expect(await outbox.claim(id, now)).toMatchObject({ questions: ids.map((one) => ({ id: one })) });
    });

    it('says that it takes the question back where that went with words that were changed or deleted', async () => {
      const { text, tools } = await asking(null);
      expect(tools).toEqual([]);
      expect(text).toMatch(/^Gladly\.\n\n.*take that back/u);
      expect(text).not.toContain('Zephyrine');
    });
  });

  describe('a reply in chunks', () => {
    it('goes on behind those that arrived, whoever goes on', async () => {
      const id = await reply(randomUUID());
      expect(await outbox.claim(id, now)).toMatchObject({ sent: [] });
      await outbox.noteSent({ outboxId: id, sent: ['m1'] });
      expect(await outbox.claim(id, now)).toMatchObject({ attempt: 2, sent: ['m1'] });
    });

    it('keeps all of its messages where a process that was left behind tells of the first ones after its end', async () => {
      const id = await reply(randomUUID());
      await outbox.claim(id, now);
      await noteResult(id, arrived('m1', 'm2'));
      await outbox.noteSent({ outboxId: id, sent: ['m1'] });
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', platformIds: ['m1', 'm2'] });
    });

    it('is no first try where an operator has it sent again: a part of it may have arrived unnoticed', async () => {
      const { outboxId: id } = await replyInTranscript();
      await outbox.claim(id, minutesAgo(60));
      const result = { ...lostAnswer, kind: 'failed' as const, unreachable: null, sent: ['m1'] };
      await noteResult(id, result, minutesAgo(60));
      await admin.retry(id);
      expect(await outbox.claim(id, now)).toMatchObject({
        attempt: 2,
        firstTriedAt: minutesAgo(60).toISOString(),
        sent: ['m1'],
      });
      expect(await rowOf(id)).toMatchObject({ attempts: 1 });
    });

    it('knows the messages of other replies, which are none of its own', async () => {
      const conversationId = randomUUID();
      const stuck = await reply(conversationId, minutesAgo(20));
      await outbox.claim(stuck, minutesAgo(20));
      const later = await reply(conversationId);
      await outbox.claim(later, now);
      await outbox.noteSent({ outboxId: later, sent: ['m7'] });
      expect(await outbox.claim(stuck, now)).toMatchObject({
        firstTriedAt: minutesAgo(20).toISOString(),
        othersSent: ['m7'],
      });
      await noteResult(later, arrived('m7'));
      expect(await outbox.claim(stuck, now)).toMatchObject({ othersSent: ['m7'] });
    });

    it('knows those that were sent soon after its first try, however many came later', async () => {
      const conversationId = randomUUID();
      const stuck = await reply(conversationId, minutesAgo(20));
      await outbox.claim(stuck, minutesAgo(20));
      await stores.query(
        `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, status, platform_ids, created_at, settled_at)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, 'discord', '{}', 'hello', 'delivered', '{later}', $3, $4
       FROM generate_series(1, 600)`,
        [conversationId, ANN, minutesAgo(30), now],
      );
      const first = await reply(conversationId);
      await outbox.claim(first, now);
      const result = arrived('m8');
      await noteResult(first, result, minutesAgo(19));
      const claimed = await outbox.claim(stuck, now);
      expect('othersSent' in claimed && claimed.othersSent).toContain('m8');
    });
  });
}
