import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Withheld } from '@kith/contracts';
import { eventually } from '@kith/testing';
import { emptyLines, outdateReplies } from '../../redaction/empty-lines.js';
import { noteDelivered } from '../../redaction/undelivered-reply.js';
import {
  stores,
  database,
  outbox,
  admin,
  ANN,
  now,
  replyInTranscript,
  rowOf,
  noteResult,
  arrived,
  lostAnswer,
} from './open-outbox.js';

/** Tests what counts as said of a reply that does not arrive, or whose words are forgotten. */
export function unsaidReplies(): void {
  describe('a reply that does not arrive', () => {
    const linesOf = (turnId: string) =>
      stores.query('SELECT text, withheld FROM transcript WHERE turn_id = $1', [turnId]);
    const ordersFor = (turnId: string) =>
      stores.query(`SELECT reason FROM forget_orders WHERE what ->> 'turnId' = $1`, [turnId]);

    async function end(...result: Parameters<typeof noteResult>): Promise<void> {
      await outbox.claim(result[0], now);
      await noteResult(...result);
    }

    const refused = { kind: 'failed' as const, reason: 'Discord 403/50013', unreachable: null };

    it('was not said, and what it promised is looked at again; as is what arrives in the end', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await end(outboxId, { ...refused, sent: [], said: '' });
      expect(await linesOf(turnId)).toMatchObject([{ withheld: 'undelivered' }]);
      expect(await ordersFor(turnId)).toEqual([{ reason: 'undelivered' }]);
      await stores.query(`UPDATE outbox SET status = 'pending', attempts = 0 WHERE id = $1`, [outboxId]);
      await end(outboxId, arrived('1'));
      expect(await linesOf(turnId)).toMatchObject([{ withheld: null }]);
      expect(await ordersFor(turnId)).toHaveLength(2);
    });

    it('was said as far as it arrived', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await end(outboxId, { ...refused, sent: ['1'], said: 'hello' });
      expect(await linesOf(turnId)).toEqual([{ text: 'hello', withheld: null }]);
      expect(await ordersFor(turnId)).toHaveLength(1);
    });

    describe('whole, and whose rest arrives once an operator retries', () => {
      /** Its beginning arrives, something may happen before or after it is retried, and the rest arrives. Returns what is said then. */
      async function arriveInParts(
        between: (turnId: string) => Promise<unknown>,
        onceRetried: () => Promise<unknown> = () => Promise.resolve(),
      ) {
        const { outboxId, turnId } = await replyInTranscript();
        await stores.query(
          `INSERT INTO conversations (conversation_id, person_id, companion_id, door, external_id, kind, audience)
         SELECT conversation_id, person_id, 'kith', 'discord', id::text, 'direct', 'direct' FROM outbox WHERE id = $1`,
          [outboxId],
        );
        await stores.query(`UPDATE outbox SET text = 'hello, I will ask tomorrow' WHERE id = $1`, [outboxId]);
        await end(outboxId, { ...refused, sent: ['1'], said: 'hello,' });
        await between(turnId);
        await admin.retry(outboxId);
        await onceRetried();
        await end(outboxId, arrived('1', '2'));
        return { lines: await linesOf(turnId), orders: await ordersFor(turnId) };
      }

      it('was said whole', async () => {
        const { lines, orders } = await arriveInParts(() => Promise.resolve());
        expect(lines).toEqual([{ text: 'hello, I will ask tomorrow', withheld: null }]);
        expect(orders).toHaveLength(2);
      });

      const forgetSomething = () => database.asSystem((tx) => outdateReplies(tx, ANN));

      it('brings nothing back where something was forgotten in that place meanwhile', async () => {
        const { lines } = await arriveInParts(() => Promise.resolve(), forgetSomething);
        expect(lines).toEqual([{ text: 'hello,', withheld: null }]);
      });

      it.each([
        ['something was forgotten in that place before', forgetSomething],
        [
          'nobody knows any more what was forgotten there',
          () => stores.query(`DELETE FROM forget_orders WHERE reason = 'undelivered'`),
        ],
      ])('is not sent again where %s', async (_, before) => {
        let replied = '';
        const retried = arriveInParts(async (turnId) => {
          replied = turnId;
          await before();
        });
        await expect(retried).rejects.toMatchObject({ code: 'conflict' });
        expect(await stores.query('SELECT status FROM outbox WHERE turn_id = $1', [replied])).toEqual([
          { status: 'failed' },
        ]);
      });

      it('stays forgotten where it was forgotten itself', async () => {
        const { lines } = await arriveInParts((turnId) =>
          stores.query(`UPDATE transcript SET text = '', withheld = 'deleted' WHERE turn_id = $1`, [turnId]),
        );
        expect(lines).toEqual([{ text: '', withheld: 'deleted' }]);
      });

      it('stays in part where an operator gives up the rest', async () => {
        const { lines } = await arriveInParts(async (turnId) => {
          const [row] = await stores.query<{ id: string }>('SELECT id FROM outbox WHERE turn_id = $1', [
            turnId,
          ]);
          await admin.drop(row!.id, 'enough', now);
          expect(await linesOf(turnId)).toEqual([{ text: 'hello,', withheld: null }]);
        });
        expect(lines).toEqual([{ text: 'hello, I will ask tomorrow', withheld: null }]);
      });
    });

    it('was said though an operator dropped it while its door was sending it', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await admin.drop(outboxId, 'enough', now);
      expect(await linesOf(turnId)).toMatchObject([{ withheld: 'undelivered' }]);
      await noteResult(outboxId, lostAnswer);
      expect(await rowOf(outboxId)).toMatchObject({ status: 'dropped', lastError: 'enough' });
      await noteResult(outboxId, arrived('1'));
      expect(await rowOf(outboxId)).toMatchObject({ status: 'delivered', platformIds: ['1'] });
      expect(await linesOf(turnId)).toMatchObject([{ withheld: null }]);
      expect(await ordersFor(turnId)).toHaveLength(2);
    });

    it('stays dropped where it was deleted as its words were forgotten', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await stores.query('UPDATE outbox SET forgotten_at = now() WHERE id = $1', [outboxId]);
      await noteResult(outboxId, { kind: 'forgotten' });
      await noteResult(outboxId, arrived('1'));
      expect(await rowOf(outboxId)).toMatchObject({ status: 'dropped', platformIds: [] });
      expect(await linesOf(turnId)).toMatchObject([{ withheld: 'undelivered' }]);
    });

    it('keeps no words that were forgotten while it was on its way', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await stores.query(`UPDATE transcript SET text = '', withheld = 'deleted' WHERE turn_id = $1`, [
        turnId,
      ]);
      await noteResult(outboxId, arrived('1'));
      expect(await rowOf(outboxId)).toMatchObject({ status: 'delivered', text: '' });
    });

    const empty = (turnId: string, why: Withheld) =>
      database.asSystem(async (tx) => {
        const lines = await tx.transcriptMessage.findMany({ where: { turnId }, select: { id: true } });
        await emptyLines(
          tx,
          lines.map(({ id }) => id),
          why,
        );
      });

    it.each(['forgotten', 'deleted'] as const)(
      'is not sent any more where it was %s while it waited',
      async (why) => {
        const { outboxId, turnId } = await replyInTranscript();
        await outbox.claim(outboxId, now);
        await outbox.noteSent({ outboxId, sent: ['m1', 'm2'] });
        await empty(turnId, why);
        await empty(turnId, 'edited');
        // Its door deletes what stands of it, and comes again where that fails.
        for (const attempt of [2, 3]) {
          const claimed = await outbox.claim(outboxId, now);
          expect(claimed).toMatchObject({ kind: 'claimed', isForgotten: true, attempt, sent: ['m1', 'm2'] });
        }
        expect(await noteResult(outboxId, { kind: 'forgotten' })).toEqual({ retryAfterMs: null });
        const given = {
          status: 'dropped',
          text: '',
          platformIds: [],
          lastError: 'what it says was forgotten',
        };
        expect(await rowOf(outboxId)).toMatchObject(given);
      },
    );

    it.each(['forgotten', 'deleted'] as const)(
      'is deleted where it was %s while its door sent it, and was not said',
      async (why) => {
        const { outboxId, turnId } = await replyInTranscript();
        await outbox.claim(outboxId, now);
        await empty(turnId, why);
        expect(await noteResult(outboxId, arrived('m1', 'm2'))).toEqual({ retryAfterMs: 0 });
        const again = await outbox.claim(outboxId, now);
        expect(again).toMatchObject({ kind: 'claimed', isForgotten: true, sent: ['m1', 'm2'] });
        await noteResult(outboxId, { kind: 'forgotten' });
        expect(await rowOf(outboxId)).toMatchObject({ status: 'dropped', text: '', platformIds: [] });
        expect(await linesOf(turnId)).toMatchObject([{ withheld: why }]);
      },
    );

    it('loses what arrived of it where it was forgotten before its rest was refused', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await empty(turnId, 'forgotten');
      const result = { ...refused, sent: ['m1'], said: 'hello,' };
      expect(await noteResult(outboxId, result)).toEqual({ retryAfterMs: 0 });
      const again = await outbox.claim(outboxId, now);
      expect(again).toMatchObject({ kind: 'claimed', isForgotten: true, sent: ['m1'] });
      // A refused deletion is the end of it.
      const undeleted = { ...refused, sent: ['m1'], said: '' };
      expect(await noteResult(outboxId, undeleted)).toEqual({ retryAfterMs: null });
      expect(await rowOf(outboxId)).toMatchObject({ status: 'failed', text: '' });
    });

    it('is to be deleted where its person is being erased, or it was forgotten after it was dropped', async () => {
      const result = arrived('m1');
      const noted = async (meanwhile: (reply: { outboxId: string; turnId: string }) => Promise<unknown>) => {
        const reply = await replyInTranscript();
        await outbox.claim(reply.outboxId, now);
        await admin.drop(reply.outboxId, 'enough', now);
        await meanwhile(reply);
        return noteResult(reply.outboxId, result);
      };
      const isGone = { retryAfterMs: null, isGone: true };
      expect(await noted(({ turnId }) => empty(turnId, 'forgotten'))).toEqual(isGone);
      const erase = () =>
        stores.query(`INSERT INTO erasures (erased_id, asked_by) VALUES ($1, 'person')`, [ANN]);
      expect(await noted(erase)).toEqual(isGone);
      await stores.query('DELETE FROM erasures WHERE erased_id = $1', [ANN]);
    });

    it('is to be deleted where its words are being forgotten as its arrival is noted', async () => {
      const { outboxId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      const { noted } = await database.asSystem(async (tx) => {
        await tx.$executeRaw`UPDATE outbox SET forgotten_at = now() WHERE id = ${outboxId}::uuid`;
        const noted = noteResult(outboxId, arrived('m1'));
        const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
        await eventually('the note waits', async () => (await stores.query(waiting)).length > 0);
        return { noted };
      });
      expect(await noted).toEqual({ retryAfterMs: 0 });
      expect(await rowOf(outboxId)).toMatchObject({ status: 'pending', platformIds: ['m1'] });
    });

    it('is to be deleted where its row went while its door sent it', async () => {
      const { outboxId } = await replyInTranscript();
      await outbox.claim(outboxId, now);
      await stores.query('DELETE FROM outbox WHERE id = $1', [outboxId]);
      const result = arrived('m1');
      expect(await noteResult(outboxId, result)).toEqual({ retryAfterMs: null, isGone: true });
    });

    it('was not said where an undo comes while it is deleted', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await empty(turnId, 'forgotten');
      await outbox.claim(outboxId, now);
      await stores.query(`UPDATE outbox SET forgotten_at = NULL WHERE id = $1`, [outboxId]);
      await stores.query(`UPDATE transcript SET text = 'hello', withheld = NULL WHERE turn_id = $1`, [
        turnId,
      ]);
      await noteResult(outboxId, { kind: 'forgotten' });
      expect(await linesOf(turnId)).toEqual([{ text: 'hello', withheld: 'undelivered' }]);
    });

    it('is sent after an edit of what it repeats, and after private talk, whose lines lose their words', async () => {
      for (const why of ['edited', 'private'] as const) {
        const { outboxId, turnId } = await replyInTranscript();
        await empty(turnId, why);
        const claimed = await outbox.claim(outboxId, now);
        expect(claimed).toMatchObject({ kind: 'claimed', text: 'hello', isForgotten: false });
      }
    });

    it('is sent where what it answers was deleted, and so is a message elsewhere that has the same id', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      const { conversationId } = await rowOf(outboxId);
      const elsewhere = randomUUID();
      const [line] = await stores.query<{ id: string }>(
        `WITH open AS (
         INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at)
         VALUES ($4, $3, 'http', 'm1', 'and here?', now()))
       INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, external_id, text, at)
       VALUES ($1, $2, $3, 'person', 'Ann', 'm1', 'how are you?', now()) RETURNING id`,
        [conversationId, turnId, ANN, elsewhere],
      );
      await database.asSystem((tx) => emptyLines(tx, [BigInt(line!.id)], 'deleted'));
      expect(await outbox.claim(outboxId, now)).toMatchObject({ kind: 'claimed', isForgotten: false });
      const open = await stores.query('SELECT text FROM inbox WHERE conversation_id = $1', [elsewhere]);
      expect(open).toEqual([{ text: 'and here?' }]);
    });

    it('loses its words after its end is noted, where both happen at once', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      const { emptied } = await database.asSystem(async (tx) => {
        await tx.$executeRaw`SELECT 1 FROM outbox WHERE id = ${outboxId}::uuid FOR UPDATE`;
        const emptied = empty(turnId, 'edited');
        const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
        await eventually('the change waits', async () => (await stores.query(waiting)).length > 0);
        await noteDelivered(tx, turnId, 'nothing');
        return { emptied };
      });
      await emptied;
      expect(await linesOf(turnId)).toEqual([{ text: '', withheld: 'edited' }]);
    });

    it('orders nothing where it simply arrives', async () => {
      const { outboxId, turnId } = await replyInTranscript();
      await end(outboxId, arrived('1'));
      expect(await ordersFor(turnId)).toEqual([]);
    });
  });
}
