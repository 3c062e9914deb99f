import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import {
  type Audience,
  memoryContract,
  outreachContract,
  personalityContract,
  type PlacesWithin,
  type RecalledMemory,
} from '@kith/contracts';
import { eventually } from '@kith/testing';
import { pino } from 'pino';
import type { Tx } from '@kith/database';
import { LeftReplies } from '../redaction/left-replies.js';
import { noteDelivered } from '../redaction/undelivered-reply.js';
import { PlaceDeleter } from './place-deleter.js';
import { PlaceOrders } from './place-orders.js';
import { Retention } from './retention.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { Conversations } from '../conversations/conversations.js';
import { viewTurn } from '../conversations/view-turn.js';
import { answered, memoryOf, withTalk } from '../e2e/talk.js';

const talk = withTalk();

/** Has somebody say something in a new channel, which is answered. */
async function answeredIn(personId: string, externalId: string = randomUUID()) {
  const where = { conversationId: await talk.converse(null, externalId), personId };
  await talk.accept(where, `said-${externalId}`);
  const turn = answered();
  await commitTurn(talk.database, await talk.claim(where), turn, true);
  return { ...where, externalId, turnId: turn.turnId };
}

describe('retention', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);

  it('empties the copies that turns worked with, and leaves the conversation', async () => {
    const { retention } = retentionWith({ workingTexts: 30, transcript: 60 });
    const where = await talk.place();
    await talk.accept(where, 'old');
    const turn = { ...answered(), details: { recalled: ['words'], gate: 'proceed' } };
    const { outboxId } = await commitTurn(talk.database, await talk.claim(where), turn, true);
    await talk.stores.query(`UPDATE outbox SET status = 'delivered', settled_at = now() WHERE id = $1`, [
      outboxId,
    ]);
    const kept = async () => {
      const [row] = await talk.stores.query(
        `SELECT inbox.text, inbox.outcome, outbox.text AS reply, turns.trace, (SELECT count(*)::int FROM transcript t
           WHERE t.turn_id = turns.turn_id) AS lines
         FROM turns JOIN inbox USING (turn_id) JOIN outbox USING (turn_id) WHERE turn_id = $1`,
        [turn.turnId],
      );
      return row;
    };
    await retention.run(inDays(29));
    expect(await kept()).toMatchObject({ text: 'hello', reply: 'hi Ann', lines: 2 });
    await retention.run(inDays(31));
    expect(await kept()).toMatchObject({ text: '', outcome: 'answered', reply: '', lines: 2 });
    expect((await kept())!['trace']).toEqual({ gate: 'proceed', mood: null });
    await retention.run(inDays(61));
    expect(await kept()).toMatchObject({ lines: 0 });
  });

  it('empties those copies with the conversation at the latest: nobody finds them any more without it', async () => {
    const { retention } = retentionWith({ workingTexts: 0, transcript: 10 });
    const { turnId } = await talk.sayAtDiscord(await talk.place(), 'My word is zebra77.', 'I see: zebra77.');
    await talk.stores.query(`UPDATE outbox SET status = 'delivered', settled_at = now() WHERE turn_id = $1`, [
      turnId,
    ]);
    const copies = () =>
      talk.stores.query(
        'SELECT inbox.text, outbox.text AS reply FROM inbox JOIN outbox USING (turn_id) WHERE turn_id = $1',
        [turnId],
      );
    await retention.run(inDays(9));
    expect(await copies()).toEqual([{ text: 'My word is zebra77.', reply: 'I see: zebra77.' }]);
    await retention.run(inDays(11));
    expect(await copies()).toEqual([{ text: '', reply: '' }]);
  });

  it('empties the copy of a reply with its line, however late it arrived', async () => {
    const { retention } = retentionWith({ workingTexts: 0, transcript: 10 });
    const { turnId } = await talk.sayAtDiscord(await talk.place(), 'hello', 'I see: zebra77.');
    await talk.stores.query(`UPDATE outbox SET status = 'delivered', settled_at = $2 WHERE turn_id = $1`, [
      turnId,
      inDays(3),
    ]);
    const copies = () => talk.stores.query('SELECT text, target FROM outbox WHERE turn_id = $1', [turnId]);
    await retention.run(inDays(9));
    expect(await copies()).toMatchObject([{ text: 'I see: zebra77.' }]);
    await retention.run(inDays(11));
    expect(await copies()).toEqual([{ text: '', target: {} }]);
  });

  it('waits for whoever has locked a reply before it takes its lines, and empties what arrives meanwhile or later', async () => {
    const { retention } = retentionWith({ workingTexts: 0, transcript: 10 });
    const where = await talk.place();
    const [arriving, waiting] = [
      await talk.sayAtDiscord(where, 'hello', 'I see: zebra77.'),
      await talk.sayAtDiscord(where, 'hello', 'I see: zebra78.'),
    ];
    const arrive = async (tx: Tx, turnId: string) => {
      await tx.$executeRaw`UPDATE outbox SET status = 'delivered', settled_at = now() WHERE turn_id = ${turnId}::uuid`;
      await noteDelivered(tx, turnId, 'all');
    };
    const isWaiting = async () =>
      (await talk.stores.query('SELECT 1 FROM pg_locks WHERE NOT granted')).length > 0;
    const run = await talk.database.asSystem(async (tx) => {
      await arrive(tx, arriving.turnId);
      const done = retention.run(inDays(11));
      await eventually('retention waits', isWaiting);
      // Who locked a reply goes on to its line, which nobody may hold by then.
      await tx.$executeRaw`SELECT 1 FROM transcript WHERE turn_id = ${arriving.turnId}::uuid FOR UPDATE NOWAIT`;
      return { done };
    });
    await run.done;
    await talk.database.asSystem((tx) => arrive(tx, waiting.turnId));
    expect(await talk.rowsOf('outbox', 'text', where)).toEqual([{ text: '' }, { text: '' }]);
    expect(await talk.rowsOf('transcript', 'text', where)).toEqual([]);
  });

  it('takes the lines of a turn together, also where its reply is younger than they', async () => {
    const { retention } = retentionWith({ transcript: 60 });
    const { turnId } = await talk.sayTo(await talk.place(), 'hello', 'hi');
    const lines = () => talk.stores.query('SELECT 1 FROM transcript WHERE turn_id = $1', [turnId]);
    await talk.stores.query(
      `UPDATE transcript SET at = at - interval '1 day' WHERE turn_id = $1 AND role = 'person'`,
      [turnId],
    );
    await retention.run(inDays(58));
    expect(await lines()).toHaveLength(2);
    await retention.run(inDays(59.5));
    expect(await lines()).toEqual([]);
  });

  it('runs every part, also where one before it fails', async () => {
    const { retention } = retentionWith({});
    const { personId } = await talk.place();
    await talk.stores.query(
      `INSERT INTO api_keys (id, person_id, name, hash, session_of, expires_at)
       SELECT gen_random_uuid(), $1, name, gen_random_uuid(), NULL, $2 FROM unnest('{a,b}'::text[]) AS name`,
      [personId, inDays(0)],
    );
    await talk.stores.query(
      `UPDATE api_keys SET session_of = (SELECT id FROM api_keys WHERE person_id = $1 AND name = 'a')
       WHERE person_id = $1 AND name = 'b'`,
      [personId],
    );
    await talk.stores.query('REVOKE DELETE ON operator_actions FROM kith_app');
    await expect(retention.run(inDays(40))).rejects.toThrow();
    await talk.stores.query('GRANT DELETE ON operator_actions TO kith_app');
    const left = await talk.stores.query('SELECT name FROM api_keys WHERE person_id = $1', [personId]);
    expect(left).toEqual([{ name: 'a' }]);
  });

  it('drops browsers’ sessions a month after their end, and not the key of an operator who acted as somebody', async () => {
    const { personId } = await talk.place();
    const key = async (name: string, about: object) => {
      const {
        parent = null,
        madeBy = null,
        expires = null,
        revoked = null,
      } = about as Record<string, unknown>;
      const [row] = await talk.stores.query<{ id: string }>(
        `INSERT INTO api_keys (id, person_id, name, hash, session_of, made_by, expires_at, revoked_at)
         VALUES (gen_random_uuid(), $1, $2, gen_random_uuid(), $3, $4, $5, $6) RETURNING id`,
        [personId, name, parent, madeBy, expires, revoked],
      );
      return row!.id;
    };
    const parent = await key('a key that was revoked', { revoked: inDays(0) });
    await key('expired', { parent, expires: inDays(1) });
    await key('revoked', { parent, expires: inDays(40), revoked: inDays(1) });
    await key('ended lately', { parent, expires: inDays(3) });
    const made = await key('of an operator', { expires: inDays(1), madeBy: personId });
    await key('browser of an operator', { parent: made, expires: inDays(1), madeBy: personId });
    await retentionWith({}).retention.run(inDays(32));
    const left = await talk.stores.query('SELECT name FROM api_keys WHERE person_id = $1 ORDER BY name', [
      personId,
    ]);
    expect(left.map(({ name }) => name)).toEqual([
      'a key that was revoked',
      'ended lately',
      'of an operator',
    ]);
  });

  it('drops the times of private talk when nothing that was said then can come any more', async () => {
    const { personId } = await talk.place();
    await talk.stores.query(
      `UPDATE people SET private_from = now(), private_ended = tstzmultirange(
         tstzrange(now() - interval '3 h', now() - interval '2 h'), tstzrange(now() - interval '1 h', now()))
       WHERE person_id = $1`,
      [personId],
    );
    const { retention } = retentionWith({});
    const kept = async () => {
      const [row] = await talk.stores.query(
        `SELECT (SELECT count(*)::int FROM unnest(private_ended)) AS ended, private_from IS NOT NULL AS lasts
         FROM people WHERE person_id = $1`,
        [personId],
      );
      return row;
    };
    await retention.run(inDays(29));
    expect(await kept()).toEqual({ ended: 2, lasts: true });
    await retention.run(new Date(inDays(30).getTime() - 5_400_000));
    expect(await kept()).toEqual({ ended: 1, lasts: true });
    await retention.run(inDays(31));
    expect(await kept()).toEqual({ ended: 0, lasts: true });
  });

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
  ])('tells the services of a place that was %s also where an earlier try had dropped it', async (_, job) => {
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
    const there = await talk.stores.query('SELECT 1 FROM conversations WHERE external_id = $1', [externalId]);
    // Retention has more that it deleted, and makes the rewrite wait for none of its parts.
    const before = job === 'retention' ? 1 : 0;
    expect([there, scrubs.count]).toEqual([[], before]);
    services.isDown = false;
    await run();
    expect([told.length, scrubs.count]).toEqual([3, before + 1]);
    expect(await talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [order.within])).toEqual(
      [],
    );
  });

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
    await commitTurn(talk.database, await talk.claim({ conversationId: before, personId }), answered(), true);
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

  it('tells nothing of a turn in a place that the app left, until it is back', async () => {
    const { orders } = retentionWith({});
    const { personId } = await talk.place();
    const there = await answeredIn(personId);
    const { externalId } = there;
    const audience: Audience = `channel:discord:${externalId}`;
    // Somewhere else a memory of that place was recalled.
    const elsewhere = await talk.place();
    await talk.accept(elsewhere, `said-${randomUUID()}`);
    const turn = { ...answered(), recalled: [memoryOf(audience), memoryOf('direct')] };
    await commitTurn(talk.database, await talk.claim(elsewhere), turn, true);
    const told = async () => {
      const one = await viewTurn(talk.database, personId, there.turnId);
      const other = await viewTurn(talk.database, elsewhere.personId, turn.turnId);
      return [one.reply, other.recalled.map((memory) => memory.audience)];
    };
    expect(await told()).toEqual(['hi Ann', [audience, 'direct']]);
    await orders.leave(orderOf(externalId, [externalId], 0));
    expect(await told()).toEqual([null, ['direct']]);
    await orders.returnTo(orderOf(externalId, [externalId], 1));
    expect(await told()).toEqual(['hi Ann', [audience, 'direct']]);
  });

  it('holds back what a reply elsewhere repeats of places that the app left, until it is back in all of them', async () => {
    const { retention, orders } = retentionWith({});
    const dm = await talk.place();
    const { personId } = dm;
    const [one, other] = await Promise.all(
      [randomUUID(), randomUUID()].map(async (externalId): Promise<Audience> => {
        await answeredIn(personId, externalId);
        return `channel:discord:${externalId}`;
      }),
    );
    const placeOf = (audience: Audience) => audience.split(':')[2]!;
    const recalling = (...audiences: Audience[]) =>
      audiences.map((audience) => ({ ...memoryOf(audience), text: 'My boat is called Zephyrine.' }));
    const sayings: [string, RecalledMemory[]][] = [
      ['Zephyrine sails.', recalling(one!, other!)],
      // Written with that reply in view.
      ['As I said: Zephyrine.', []],
      ['Nothing of it.', recalling(one!)],
    ];
    for (const [reply, recalled] of sayings) {
      await talk.accept(dm, `said-${randomUUID()}`);
      await commitTurn(talk.database, await talk.claim(dm), { ...answered(), reply, recalled }, true);
    }
    const told = async () => {
      const rows = await talk.stores.query<{ text: string; withheld: string | null }>(
        `SELECT text, withheld FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
        [dm.conversationId],
      );
      return rows.map(({ text, withheld }) => withheld ?? text);
    };
    const all = sayings.map(([reply]) => reply);
    expect(await told()).toEqual(all);
    const [here, there] = [placeOf(one!), placeOf(other!)];
    await orders.leave(orderOf(here, [here], 0));
    await orders.leave(orderOf(there, [there], 0));
    expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
    await orders.returnTo(orderOf(here, [here], 1));
    expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
    await orders.returnTo(orderOf(there, [there], 1));
    expect(await told()).toEqual(all);
    await orders.leave(orderOf(here, [here], 2));
    await retention.run(inDays(10));
    expect(await told()).toEqual(['left', 'left', 'Nothing of it.']);
    const words = await talk.stores.query(
      'SELECT 1 FROM transcript WHERE text LIKE $1 AND conversation_id = $2',
      ['%Zephyrine%', dm.conversationId],
    );
    expect(words).toEqual([]);
  });

  describe('orders of one server', () => {
    it('carry out nothing once a later one was given', async () => {
      const { orders, heard, server, places, isLeft } = await serverOf(1);
      const returning = orderOf(server, places, 2);
      await orders.returnTo(returning);
      heard.length = 0;
      await orders.leave(orderOf(server, places, 1));
      // Of the same moment the one to return counts.
      await orders.leave(returning);
      expect([await isLeft(), heard]).toEqual([[false], []]);
      await orders.leave(orderOf(server, places, 4));
      await orders.returnTo(orderOf(server, places, 3));
      expect(await isLeft()).toEqual([true]);
      expect(heard).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ left: true })));
    });

    it('return to all of its places, also to those that the door does not know any more', async () => {
      const { retention, orders, heard, server, places, isLeft } = await serverOf(2);
      await orders.leave(orderOf(server, places.slice(0, 1), 0));
      await orders.leave(orderOf(server, places.slice(1), 0));
      expect(await isLeft()).toEqual([true, true]);
      heard.length = 0;
      await orders.returnTo(orderOf(server, places.slice(0, 1), 1));
      const audiences = expect.arrayContaining(places.map((place) => `channel:discord:${place}`));
      expect(heard).toEqual(Array.from({ length: 3 }, () => ({ audiences, left: false })));
      await retention.run(inDays(9));
      expect(await isLeft()).toEqual([false, false]);
    });

    it('are carried out one at a time', async () => {
      const asked: boolean[] = [];
      const { orders, server, places } = await serverOf(1, async ({ left }) => {
        asked.push(left);
        await new Promise((resolve) => setTimeout(resolve, 20));
      });
      const leaving = orders.leave(orderOf(server, places, 0));
      await eventually('the order to leave', () => asked.length > 0);
      await Promise.all([leaving, orders.returnTo(orderOf(server, places, 1))]);
      expect(asked).toEqual([true, true, true, false, false, false]);
    });

    it.each([
      ['to leave', true],
      ['to return', false],
    ])('%s is gone on with where it was broken off, until every service knows', async (_, left) => {
      const services = { isDown: true };
      const { orders, heard, server, places, isLeft } = await serverOf(1, async (asked) => {
        if (services.isDown && asked.left === left) throw new Error('a service is away');
      });
      const order = orderOf(server, places, -1);
      if (!left) await orders.leave({ ...order, at: inDays(-2).toISOString() });
      await expect(left ? orders.leave(order) : orders.returnTo(order)).rejects.toThrow('away');
      expect(await orders.resume()).toBe(1);
      services.isDown = false;
      heard.length = 0;
      expect(await orders.resume()).toBe(1);
      expect(heard).toEqual(Array.from({ length: 3 }, () => expect.objectContaining({ left })));
      expect(await isLeft()).toEqual([left]);
      expect(await orders.resume()).toBe(0);
    });

    it('that a later one overtook are gone on with no more', async () => {
      const services = { isDown: true };
      const { orders, heard, server, places, isLeft } = await serverOf(1, async ({ left }) => {
        if (services.isDown && left) throw new Error('a service is away');
      });
      await expect(orders.leave(orderOf(server, places, -2))).rejects.toThrow('away');
      await orders.returnTo(orderOf(server, places, -1));
      services.isDown = false;
      heard.length = 0;
      expect([await orders.resume(), heard, await isLeft()]).toEqual([0, [], [false]]);
    });

    it('leave a later one open that was given once they had lost their lock', async () => {
      let meanwhile: (() => Promise<unknown>) | undefined;
      const services = { isDown: true };
      const { orders, server, places, isLeft } = await serverOf(1, async ({ left }) => {
        if (services.isDown && !left) throw new Error('a service is away');
        const once = meanwhile;
        meanwhile = undefined;
        await once?.();
      });
      meanwhile = async () => {
        await talk.stores.query(
          `SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted`,
        );
        await expect(orders.returnTo(orderOf(server, places, -1))).rejects.toThrow('away');
      };
      await orders.leave(orderOf(server, places, -2));
      services.isDown = false;
      expect(await orders.resume()).toBe(1);
      expect(await isLeft()).toEqual([false]);
    });

    it('go when their time is over', async () => {
      const { retention, orders, server, places } = await serverOf(1);
      const noted = () => talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [server]);
      await orders.leave(orderOf(server, places, 0));
      await retention.run(inDays(6));
      expect(await noted()).toHaveLength(1);
      await retention.run(inDays(8));
      expect(await noted()).toEqual([]);
    });

    it('end only when every service knows of them, and then with all of their places', async () => {
      let onLeave = async () => undefined as unknown;
      const { retention, orders, heard, server, places } = await serverOf(1, async ({ left }) => {
        if (left) await onLeave();
      });
      // It has its time just as the first service hears of it.
      onLeave = async () => {
        onLeave = async () => undefined;
        await retention.run(inDays(8));
      };
      const silent = randomUUID();
      await orders.leave(orderOf(server, [...places, silent], 0));
      const there = await talk.stores.query('SELECT 1 FROM place_orders WHERE within = $1', [server]);
      expect(there).toHaveLength(1);
      heard.length = 0;
      await retention.run(inDays(8));
      const audiences = expect.arrayContaining(
        [...places, silent].map((place) => `channel:discord:${place}`),
      );
      expect(heard).toEqual(Array.from({ length: 3 }, () => ({ audiences, left: false })));
    });
  });

  /** A server with some silent channels, and what the services hear of them. */
  async function serverOf(
    count: number,
    onOrder: (order: { left: boolean }) => Promise<void> = async () => undefined,
  ) {
    const heard: unknown[] = [];
    const { retention, orders } = retentionWith({}, async (contract, request) => {
      if (!isOfLeaving(contract)) return { sources: [] };
      heard.push(request);
      await onOrder(request as { left: boolean });
      return {};
    });
    const places = Array.from({ length: count }, () => randomUUID());
    for (const externalId of places) await talk.converse(null, externalId);
    const isLeft = async () => {
      const rows = await talk.stores.query<{ left: boolean }>(
        'SELECT left_at IS NOT NULL AS left FROM conversations WHERE external_id = ANY ($1)',
        [places],
      );
      return rows.map(({ left }) => left);
    };
    return { retention, orders, heard, server: randomUUID(), places, isLeft };
  }

  function orderOf(within: string, places: string[], days: number): PlacesWithin {
    return { door: 'discord', within, places, at: inDays(days).toISOString() };
  }

  function isOfLeaving(contract: unknown): boolean {
    return [memoryContract, personalityContract, outreachContract].some(
      ({ leavePlaces }) => leavePlaces === contract,
    );
  }

  function retentionWith(
    days: { workingTexts?: number; transcript?: number },
    ask: (contract: unknown, request: unknown) => Promise<unknown> = async () => ({ sources: [] }),
  ) {
    const keep = { workingTexts: 0, transcript: 0, leftServers: 7, audit: 365, ...days };
    const { database } = talk;
    const scrubs = { count: 0 };
    const messenger = { ask: ask as never, scrubDisk: () => void (scrubs.count += 1) };
    const replies = new LeftReplies(database);
    const logger = pino({ level: 'silent' });
    const orders = new PlaceOrders(database, messenger, replies, logger);
    const erasures = { resume: async () => 0 };
    const interrupted: unknown[] = [];
    const interruptions = { interrupt: (speaker: unknown) => void interrupted.push(speaker) };
    const deleter = new PlaceDeleter({ database, messenger, replies, places: orders, interruptions });
    const retention = new Retention({ database, messenger, erasures, places: deleter, days: keep, logger });
    return { retention, orders, deleter, interrupted, scrubs };
  }
});
