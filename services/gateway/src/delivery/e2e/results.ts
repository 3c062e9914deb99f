import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  stores,
  database,
  others,
  announced,
  outbox,
  admin,
  ANN,
  now,
  minutesAgo,
  reply,
  rowOf,
  noteResult,
  arrived,
  lostAnswer,
} from './open-outbox.js';

/** Tests what becomes of a reply with the results of its door and with what an operator does. */
export function results(): void {
  describe('a reply that is not delivered', () => {
    it('keeps its reason, and is given up after its last try', async () => {
      const id = await reply(randomUUID(), minutesAgo(1), 98);
      await outbox.claim(id, now);
      expect(await noteResult(id, lostAnswer)).toEqual({ retryAfterMs: 20_000 });
      expect(await rowOf(id)).toMatchObject({ status: 'pending', lastError: 'Discord 502' });
      await outbox.claim(id, now);
      expect(await noteResult(id, lostAnswer)).toEqual({ retryAfterMs: null });
      expect(await rowOf(id)).toMatchObject({
        status: 'failed',
        lastError: 'given up after 100 tries: Discord 502',
      });
    });

    it('ends also when no try of it comes back', async () => {
      const id = await reply(randomUUID(), minutesAgo(1), 100);
      expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
      expect(await rowOf(id)).toMatchObject({ status: 'failed', lastError: 'no try came to an end' });
    });

    it('ends at once where Discord refuses it, and keeps what had arrived of it', async () => {
      const id = await reply(randomUUID());
      await outbox.claim(id, now);
      const refused = {
        kind: 'failed' as const,
        reason: 'Discord 403',
        unreachable: 'person' as const,
        sent: ['m1'],
        said: 'hel',
      };
      const { turnId } = await rowOf(id);
      await database.asSystem((tx) =>
        tx.transcriptMessage.create({
          data: {
            turnId,
            conversationId: randomUUID(),
            personId: ANN,
            role: 'companion',
            name: 'Mira',
            text: 'hello',
            at: now,
          },
        }),
      );
      expect(await noteResult(id, refused)).toEqual({ retryAfterMs: null });
      expect(await rowOf(id)).toMatchObject({
        status: 'failed',
        lastError: 'Discord 403',
        platformIds: ['m1'],
      });
      // What did not arrive was not said.
      const [line] = await stores.query('SELECT text FROM transcript WHERE turn_id = $1', [turnId]);
      expect(line).toEqual({ text: 'hel' });
      expect(await outbox.claim(id, now)).toEqual({ kind: 'settled' });
    });
  });

  describe('a reply that has arrived', () => {
    it('is neither sent again nor given up by an operator', async () => {
      const id = await reply(randomUUID());
      await noteResult(id, arrived('m1'));
      // Its words stay for a while where it has a line.
      await stores.query(`UPDATE outbox SET text = 'hello' WHERE id = $1`, [id]);
      await expect(admin.retry(id)).rejects.toMatchObject({ code: 'conflict' });
      await expect(admin.drop(id, 'enough', now)).rejects.toMatchObject({ code: 'conflict' });
      expect(await rowOf(id)).toMatchObject({ status: 'delivered', lastError: null });
    });
  });

  describe('a list of deliveries', () => {
    it('goes on behind one that arrived meanwhile', async () => {
      const [first, second, third] = [
        await reply(randomUUID()),
        await reply(randomUUID()),
        await reply(randomUUID()),
      ];
      const { deliveries, nextCursor } = await admin.list({ limit: 1 });
      expect(deliveries).toMatchObject([{ outboxId: third }]);
      await noteResult(third, arrived('1'));
      const rest = await admin.list({ limit: 2, cursor: nextCursor! });
      expect(rest.deliveries).toMatchObject([{ outboxId: second }, { outboxId: first }]);
    });
  });

  describe('an outreach that is refused', () => {
    const refused = (unreachable: 'person' | 'place') => ({
      kind: 'failed' as const,
      reason: 'Discord 403',
      unreachable,
      sent: [],
      said: '',
    });
    const attemptId = randomUUID();
    async function begin(kind: 'direct' | 'channel', origin = 'outreach') {
      const conversationId = randomUUID();
      const id = await reply(conversationId);
      const { turnId, personId } = await rowOf(id);
      const audience = kind === 'direct' ? 'direct' : `channel:discord:${turnId}`;
      await database.asSystem(async (tx) => {
        const place = { companionId: 'mira', door: 'discord', externalId: turnId, kind, audience };
        await tx.conversation.create({ data: { id: conversationId, ...place } });
        const message = { conversationId, personId, turnId, door: 'discord', text: '', sentAt: now };
        await tx.inboxMessage.create({ data: { ...message, origin, externalId: attemptId } });
      });
      announced.length = 0;
      await outbox.claim(id, now);
      return { id, personId, channelId: turnId };
    }
    async function refuse(kind: 'direct' | 'channel', unreachable: 'person' | 'place', origin = 'outreach') {
      const { id, ...whom } = await begin(kind, origin);
      await noteResult(id, refused(unreachable));
      return { ...whom, heard: [...announced] };
    }

    it('in a channel names the channel and the attempt, and says nothing against the person', async () => {
      const { personId, channelId, heard } = await refuse('channel', 'place');
      expect(heard).toEqual([
        { personId, channelId, attemptId, reason: 'Discord 403', at: now.toISOString() },
      ]);
      expect((await refuse('channel', 'place', 'message')).heard).toEqual([]);
    });

    it('in a DM says that the person cannot be reached', async () => {
      const { heard } = await refuse('direct', 'person');
      expect(heard).toMatchObject([{ channelId: null, attemptId }]);
      expect((await refuse('direct', 'person', 'message')).heard).toMatchObject([{ attemptId: null }]);
      expect((await refuse('direct', 'place')).heard).toEqual([]);
    });

    it('stays to be delivered until that was announced', async () => {
      const { id } = await begin('direct');
      others.isRedisAway = true;
      await expect(noteResult(id, refused('person'))).rejects.toThrow('away');
      others.isRedisAway = false;
      expect(await rowOf(id)).toMatchObject({ status: 'pending' });
      await noteResult(id, refused('person'));
      expect(await rowOf(id)).toMatchObject({ status: 'failed' });
      expect(announced).toMatchObject([{ channelId: null, attemptId }]);
      await noteResult(id, refused('person'));
      expect(announced).toHaveLength(1);
    });
  });
}
