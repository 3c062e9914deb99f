import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { memoryContract, outreachContract, personalityContract } from '@kith/contracts';
import { Conversations } from '../../conversations/conversations.js';
import { answered } from '../../e2e/talk.js';
import { commitTurn } from '../../outcome/commit-turn.js';
import { inDays, isOfLeaving, orderOf, type Upkeep } from './upkeep.js';

/** Tests what is dropped of places that the app left or that were deleted. */
export function placeDeleter({ talk, answeredIn, retentionWith }: Upkeep): void {
  describe('retention', () => {
    it('drops what was said in places that the app left, unless it is back', async () => {
      const asked: unknown[] = [];
      let heard: unknown[] = [];
      const sources = ['m1', 'm2'];
      // The services hear of a place as soon as it is left; what is asked of them by night is looked at here.
      const { retention, orders } = retentionWith({}, async (contract, request) => {
        if (isOfLeaving(contract)) heard.push(request);
        else asked.push(request);
        return { sources };
      });
      const { personId } = await talk.place();
      const [left, back, again] = await Promise.all(
        [randomUUID(), randomUUID(), randomUUID()].map((externalId) => answeredIn(personId, externalId)),
      );
      const places = [left, back, again].map((one) => one!.externalId);
      for (const place of places) {
        await orders.leave(orderOf(place, [place], 1));
        await orders.returnTo(orderOf(place, [place], 0));
      }
      await orders.returnTo(orderOf(again!.externalId, [again!.externalId], 3));
      await talk.stores.query(`UPDATE inbox SET received_at = $1 WHERE conversation_id = $2`, [
        inDays(2),
        back!.conversationId,
      ]);
      // An outreach that was on its way does not show that the app is back.
      await talk.stores.query(
        `INSERT INTO inbox SELECT (jsonb_populate_record(inbox, jsonb_build_object(
           'id', 1000000, 'external_id', 'late', 'origin', 'outreach', 'received_at', $1::timestamptz))).*
         FROM inbox WHERE conversation_id = $2`,
        [inDays(1), left!.conversationId],
      );
      const there = async () =>
        (
          await talk.stores.query('SELECT DISTINCT conversation_id FROM transcript WHERE person_id = $1', [
            personId,
          ])
        ).length;
      await retention.run(inDays(7));
      expect([await there(), asked]).toEqual([3, []]);
      heard = [];
      const stranger = await talk.place();
      await talk.stores.query(
        `INSERT INTO forget_orders (id, person_id, reason, what, undo_until)
         SELECT gen_random_uuid(), id, 'forgotten', '{}', now() + interval '5 minutes' FROM unnest($1::uuid[]) AS id`,
        [[personId, stranger.personId]],
      );
      await retention.run(inDays(9));
      // What they had forgotten themselves might be of this place: an undo brings it back no more.
      const open = await talk.stores.query(
        'SELECT person_id FROM forget_orders WHERE undo_until > now() AND person_id = ANY ($1::uuid[])',
        [[personId, stranger.personId]],
      );
      expect(open).toEqual([{ person_id: stranger.personId }]);
      const audience = `channel:discord:${left!.externalId}`;
      expect([await there(), asked]).toEqual([
        2,
        [
          { audience, preview: true },
          { audience, messageIds: sources, turns: [{ turnId: left!.turnId, personId }] },
          { audience, said: [{ personId, messageIds: [`said-${left!.externalId}`, 'late'] }] },
          { turns: [{ turnId: left!.turnId, personId }] },
        ],
      ]);
      // From then on there is nothing to hold back.
      expect(heard).toEqual(Array.from({ length: 3 }, () => ({ audiences: [audience], left: false })));
    });

    it('drops a place that was deleted at its door at once, with what waits there and what is under way', async () => {
      const asked: unknown[] = [];
      const { deleter, interrupted } = retentionWith({}, async (contract, request) => {
        asked.push(isOfLeaving(contract) ? (request as { left: boolean }).left : contract);
        return { sources: ['m1'] };
      });
      const { personId } = await talk.place();
      const ids = [randomUUID(), randomUUID()];
      const [deleted, other] = await Promise.all(ids.map((externalId) => answeredIn(personId, externalId)));
      await talk.accept(deleted!, `open-${ids[0]}`);
      const claim = await talk.claim(deleted!);
      const seals = () => talk.stores.query('SELECT 1 FROM sealed_lines WHERE person_id = $1', [personId]);
      await talk.stores.query(
        `INSERT INTO sealed_lines (order_id, line_id, person_id, text, until)
         SELECT $2, id, $2, 'zebra81', now() + interval '10 minutes' FROM transcript WHERE conversation_id = $1`,
        [deleted!.conversationId, personId],
      );
      expect(await seals()).toHaveLength(2);
      await deleter.deleteOrdered(orderOf(ids[0]!, [ids[0]!], 0));
      expect(await seals()).toEqual([]);
      expect(interrupted).toEqual([{ conversationId: deleted!.conversationId, personId }]);
      await expect(commitTurn(talk.database, claim, answered(), true)).rejects.toThrow();
      const rows = await talk.stores.query(
        `SELECT conversation_id AS id, (SELECT count(*)::int FROM transcript WHERE conversation_id = c.conversation_id)
           AS lines FROM conversations c WHERE external_id = ANY ($1)`,
        [ids],
      );
      expect(rows).toEqual([{ id: other!.conversationId, lines: 2 }]);
      const { forgetPlace } = memoryContract;
      expect(asked).toEqual([
        true,
        true,
        true,
        forgetPlace,
        outreachContract.forgetPlace,
        forgetPlace,
        personalityContract.forgetTurns,
        forgetPlace,
        false,
        false,
        false,
      ]);
      expect(await talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [ids[0]])).toEqual([]);
      // A place where nobody spoke to the companion costs nothing.
      asked.length = 0;
      await deleter.deleteOrdered(orderOf('elsewhere', ['elsewhere'], 0));
      expect(asked).toEqual([]);
    });

    it('leaves a deleted place to a message that is being accepted there in that moment', async () => {
      const { deleter } = retentionWith({}, async () => ({ sources: [] }));
      const { personId } = await talk.place();
      const { conversationId, externalId } = await answeredIn(personId);
      let deleting = Promise.resolve();
      await talk.database.write({ personId, conversationId }, async (tx) => {
        await tx.$executeRaw`
          INSERT INTO inbox (conversation_id, person_id, door, external_id, origin, text, sent_at)
          SELECT conversation_id, ${personId}::uuid, door, 'late', 'message', 'hello', now() FROM conversations
          WHERE conversation_id = ${conversationId}::uuid FOR KEY SHARE`;
        deleting = deleter.deleteOrdered(orderOf(externalId, [externalId], 0));
        await talk.someoneWaits();
      });
      await deleting;
      const kept = await talk.stores.query(
        'SELECT inbox.external_id AS id FROM inbox JOIN conversations USING (conversation_id) WHERE conversation_id = $1',
        [conversationId],
      );
      expect(kept).toEqual([{ id: 'late' }]);
    });

    it.each([
      ['deleted', 'deletePlaces'],
      ['left', 'retention'],
    ])(
      'tells the services of a place that was %s also where an earlier try had dropped it',
      async (_, job) => {
        const services = { isDown: true };
        const told: unknown[] = [];
        const { deleter, retention, orders, scrubs } = retentionWith({}, async (contract, request) => {
          if (!isOfLeaving(contract)) return { sources: [] };
          const { left } = request as { left: boolean };
          if (!left && services.isDown) throw new Error('a service is away');
          if (!left) told.push(contract);
          return {};
        });
        const { personId } = await talk.place();
        const { externalId } = await answeredIn(personId);
        const order = orderOf(randomUUID(), [externalId], 0);
        if (job === 'retention') await orders.leave(order);
        const run = () => (job === 'retention' ? retention.run(inDays(8)) : deleter.deleteOrdered(order));
        await expect(run()).rejects.toThrow('away');
        const there = await talk.stores.query('SELECT 1 FROM conversations WHERE external_id = $1', [
          externalId,
        ]);
        // Retention has more that it deleted, and makes the rewrite wait for none of its parts.
        const before = job === 'retention' ? 1 : 0;
        expect([there, scrubs.count]).toEqual([[], before]);
        services.isDown = false;
        await run();
        expect([told.length, scrubs.count]).toEqual([3, before + 1]);
        expect(
          await talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [order.within]),
        ).toEqual([]);
      },
    );

    it('lets a place that was dropped begin anew when the app is back, for who knew it before', async () => {
      const { retention, orders } = retentionWith({});
      const { personId } = await talk.place();
      const externalId = randomUUID();
      const place = {
        companionId: 'mira',
        door: 'discord',
        kind: 'channel',
        externalId,
        personId: null,
      } as const;
      const conversations = new Conversations(talk.database);
      const before = await conversations.idOf(place);
      await talk.accept({ conversationId: before, personId }, `said-${externalId}`);
      await commitTurn(
        talk.database,
        await talk.claim({ conversationId: before, personId }),
        answered(),
        true,
      );
      await orders.leave(orderOf(externalId, [externalId], 0));
      await retention.run(inDays(9));
      await orders.returnTo(orderOf(externalId, [externalId], 9));
      const accepted = await conversations.at(place, (conversationId) =>
        talk.accept({ conversationId, personId }, `again-${externalId}`, true),
      );
      expect(accepted).toMatchObject({ duplicate: false, claim: { companionId: 'mira', kind: 'channel' } });
      expect(accepted.claim!.conversationId).not.toBe(before);
      expect(await conversations.idOf(place)).toBe(accepted.claim!.conversationId);
    });

    it('leaves a place alone that the app comes back to while others are dropped', async () => {
      const { personId } = await talk.place();
      const [first, second] = await Promise.all(
        [randomUUID(), randomUUID()].map((externalId) => answeredIn(personId, externalId)),
      );
      const places = [first!, second!];
      const [server, named] = [randomUUID(), places.map(({ externalId }) => externalId)];
      // Whichever is first, the app comes back to both as its memories are forgotten.
      let forgotten = 0;
      const { retention, orders } = retentionWith({}, async (contract) => {
        if (contract !== outreachContract.forgetPlace) return { sources: [] };
        forgotten += 1;
        await orders.returnTo(orderOf(server, named, 9));
        return {};
      });
      await orders.leave(orderOf(server, named, 0));
      await retention.run(inDays(9));
      expect(forgotten).toBe(1);
      const ids = places.map(({ conversationId }) => conversationId);
      const there = await talk.stores.query(
        `SELECT 1 FROM conversations JOIN transcript USING (conversation_id)
         WHERE conversation_id = ANY ($1) AND role = 'person'`,
        [ids],
      );
      expect(there).toHaveLength(2);
    });
  });
}
