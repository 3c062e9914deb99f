import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import {
  stores,
  database,
  messenger,
  others,
  asked,
  outbox,
  ANN,
  now,
  minutesAgo,
  reply,
  rowOf,
  noteResult,
  arrived,
} from './open-outbox.js';

/** Tests that outreach which had to wait is sent only where it may still arrive. */
export function heldOutreach(): void {
  describe('outreach that had to wait', () => {
    /** As a turn of the companion's own leaves it, with its line. */
    async function outreach(
      receivedAt: Date,
      attempts: number,
      createdAt = receivedAt,
    ): Promise<{ id: string; attemptId: string }> {
      const conversationId = randomUUID();
      const attemptId = randomUUID();
      const id = await reply(conversationId, createdAt, attempts);
      if (attempts > 0)
        await stores.query('UPDATE outbox SET first_tried_at = created_at WHERE id = $1', [id]);
      const { turnId } = await rowOf(id);
      await database.asSystem(async (tx) => {
        await tx.conversation.create({
          data: {
            id: conversationId,
            companionId: 'kith',
            door: 'discord',
            externalId: attemptId,
            kind: 'direct',
            audience: 'direct',
          },
        });
        const begun = {
          conversationId,
          door: 'discord',
          origin: 'outreach',
          outcome: 'answered',
          personId: ANN,
        };
        await tx.inboxMessage.create({
          data: { ...begun, turnId, externalId: attemptId, text: 'hello', sentAt: receivedAt, receivedAt },
        });
        const ended = { startedAt: createdAt, endedAt: createdAt, trace: {}, audience: 'direct' };
        await tx.turn.create({ data: { ...begun, ...ended, id: turnId, companionId: 'kith' } });
        await tx.transcriptMessage.create({
          data: {
            conversationId,
            turnId,
            personId: ANN,
            role: 'companion',
            name: 'Kith',
            text: 'hello',
            at: createdAt,
          },
        });
      });
      asked.length = 0;
      return { id, attemptId };
    }
    const lineOf = async (id: string) => {
      const { turnId } = await rowOf(id);
      return database.asSystem((tx) => tx.transcriptMessage.findFirstOrThrow({ where: { turnId } }));
    };

    it('is looked for first where it was tried, and is not called off once it is there', async () => {
      others.mayArrive = false;
      const { id } = await outreach(minutesAgo(1), 1);
      expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', attempt: 2, isInDoubt: true });
      expect(asked).toEqual([]);
      await noteResult(id, arrived('m1'));
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', platformIds: ['m1'] });
      expect((await lineOf(id)).withheld).toBeNull();
    });

    it('is dropped where it is not there and would not be sent any more, and is no part of the talk', async () => {
      others.mayArrive = false;
      const { id, attemptId } = await outreach(minutesAgo(1), 1);
      await outbox.claim(id, now);
      expect(await outbox.claim(id, now, true)).toEqual({ kind: 'settled' });
      const writtenAt = (await rowOf(id)).createdAt.toISOString();
      expect(asked).toMatchObject([{ personId: ANN, attemptId, writtenAt, isForgotten: false }]);
      expect(await rowOf(id)).toMatchObject({
        status: 'dropped',
        lastError: 'outreach is not allowed any more',
        settledAt: now,
      });
      expect((await lineOf(id)).withheld).toBe('undelivered');
    });

    it('stays part of the talk where some of it arrives while it is called off', async () => {
      const { id } = await outreach(minutesAgo(5), 0);
      jest.spyOn(messenger, 'ask').mockImplementationOnce(async () => {
        await outbox.noteSent({ outboxId: id, sent: ['m1'] });
        return { allowed: false };
      });
      expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
      expect(await rowOf(id)).toMatchObject({ status: 'dropped', platformIds: ['m1'], settledAt: now });
      expect((await lineOf(id)).withheld).toBeNull();
    });

    it('stays delivered where it arrived while the scheduler called it off', async () => {
      others.mayArrive = false;
      const { id } = await outreach(minutesAgo(1), 0);
      others.whileAsked = () => noteResult(id, arrived('m1'));
      expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
      others.whileAsked = async () => undefined;
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', lastError: null });
      expect((await lineOf(id)).withheld).toBeNull();
    });

    it('is sent where it still would be', async () => {
      others.mayArrive = true;
      const { id } = await outreach(minutesAgo(5), 0);
      expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', attempt: 1 });
      expect(asked).toHaveLength(1);
      expect((await lineOf(id)).withheld).toBeNull();
      // A try that looks and then sends is one try.
      expect(await outbox.claim(id, now)).toMatchObject({ attempt: 2, isInDoubt: true });
      expect(await outbox.claim(id, now, true)).toMatchObject({ attempt: 2, isInDoubt: false });
      expect(asked).toHaveLength(2);
    });

    it('is asked about together with whether anything else of theirs is under way', async () => {
      others.mayArrive = false;
      await stores.query(`UPDATE outbox SET status = 'delivered'`);
      await stores.query(`UPDATE inbox SET outcome = 'answered'`);
      await outbox.claim((await outreach(minutesAgo(5), 0)).id, now);
      expect(asked).toMatchObject([{ isBusy: false }]);
      const { id } = await outreach(minutesAgo(5), 0);
      await reply(randomUUID());
      await outbox.claim(id, now);
      expect(asked).toMatchObject([{ isBusy: true }]);
    });

    it('is asked about together with the turns in which they spoke that may not be noticed yet', async () => {
      others.mayArrive = false;
      const turn = (turnId: string, age: string, followedUp: string) =>
        stores.query(
          `INSERT INTO turns (turn_id, conversation_id, companion_id, person_id, door, audience, origin, outcome, trace,
           started_at, ended_at, followed_up_at)
         SELECT $1, gen_random_uuid(), 'kith', $2, 'discord', 'direct', 'message', 'answered', '{}', at, at, ${followedUp}
         FROM (SELECT now() - $3::interval AS at)`,
          [turnId, ANN, age],
        );
      const said = randomUUID();
      await turn(said, '1 second', 'NULL');
      await turn(randomUUID(), '1 minute', 'now()');
      await turn(randomUUID(), '1 year', 'NULL');
      await outbox.claim((await outreach(minutesAgo(5), 0)).id, now);
      expect(asked).toMatchObject([{ spokenIn: [said] }]);
    });

    it('is asked about where its turn had to wait, however young the reply is', async () => {
      others.mayArrive = false;
      const { id } = await outreach(minutesAgo(20), 0, new Date(now.getTime() - 1_000));
      expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
      expect(asked).toHaveLength(1);
    });

    it('is deleted once it is forgotten, young or half sent, and the scheduler is told', async () => {
      others.mayArrive = false;
      for (const sent of [[], ['m1']]) {
        const { id, attemptId } = await outreach(now, sent.length);
        await stores.query('UPDATE outbox SET forgotten_at = now(), platform_ids = $2 WHERE id = $1', [
          id,
          sent,
        ]);
        const claimed = await outbox.claim(id, now);
        expect(claimed).toMatchObject({ kind: 'claimed', isForgotten: true, isInDoubt: false, sent });
        expect(asked).toMatchObject([{ attemptId, isForgotten: true }]);
      }
    });

    it('waits for a scheduler that is away', async () => {
      others.mayArrive = null;
      const { id } = await outreach(minutesAgo(5), 0);
      expect(await outbox.claim(id, now)).toEqual({ kind: 'not-yet', retryAfterMs: 2_000 });
      expect(await rowOf(id)).toMatchObject({ status: 'pending', attempts: 0 });
      const tried = await outreach(minutesAgo(5), 4);
      await outbox.claim(tried.id, now);
      // Each look is a try: their waits grow, so that they are not used up while the scheduler is away.
      expect(await outbox.claim(tried.id, now, true)).toEqual({ kind: 'not-yet', retryAfterMs: 16_000 });
    });

    it('has its last try after it was looked for in vain, however long the scheduler was away', async () => {
      others.mayArrive = null;
      const { id } = await outreach(minutesAgo(5), 99);
      for (let look = 1; look <= 2; look += 1) {
        expect(await outbox.claim(id, now)).toMatchObject({ kind: 'claimed', isInDoubt: true, attempt: 100 });
        expect(await outbox.claim(id, now, true)).toMatchObject({ kind: 'not-yet' });
      }
      others.mayArrive = true;
      await outbox.claim(id, now);
      expect(await outbox.claim(id, now, true)).toMatchObject({ kind: 'claimed', attempt: 100 });
    });

    it('holds up no answer until a part of it has arrived', async () => {
      others.mayArrive = null;
      const { id } = await outreach(minutesAgo(5), 1);
      await outbox.claim(id, now);
      const answer = await reply((await rowOf(id)).conversationId);
      expect((await outbox.claim(answer, now)).kind).toBe('claimed');
      await outbox.noteSent({ outboxId: id, sent: ['m1'] });
      expect((await outbox.claim(answer, now)).kind).toBe('not-yet');
    });

    it('is asked about before its first try, though it was decided on just now', async () => {
      others.mayArrive = false;
      const { id } = await outreach(new Date(now.getTime() - 1_000), 0);
      expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
      expect(asked).toHaveLength(1);
      expect((await lineOf(id)).withheld).toBe('undelivered');
    });

    it('goes on without a question once a part of it has arrived', async () => {
      others.mayArrive = false;
      const { id } = await outreach(minutesAgo(5), 1);
      await outbox.noteSent({ outboxId: id, sent: ['m1'] });
      expect((await outbox.claim(id, now)).kind).toBe('claimed');
      expect(asked).toEqual([]);
    });
  });
}
