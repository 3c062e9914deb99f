import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { pino } from 'pino';
import { reviseLine } from './revise-line.js';
import { noteDelivered } from './undelivered-reply.js';
import { PrivateTalk } from '../forgetting/private-talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { answered, memoryOf, withTalk } from '../e2e/talk.js';

const talk = withTalk();

it('discards no reply under way for an edit that leaves an answered message as it was', async () => {
  const where = await talk.place();
  const messageId = randomUUID();
  await talk.accept(where, messageId);
  await commitTurn(talk.database, await talk.claim(where), answered(), true);
  const said = await talk.stores.query('SELECT text FROM transcript WHERE external_id = $1', [messageId]);
  const changes = () => talk.rowsOf('conversations', 'retold', where);
  const before = await changes();
  const edit = { door: 'discord', messageId } as const;
  expect(await reviseLine(talk.database, { ...edit, text: String(said[0]!['text']) })).toEqual([]);
  expect(await changes()).toEqual(before);
  expect(await reviseLine(talk.database, { ...edit, text: 'something else' })).toHaveLength(1);
  expect(await changes()).not.toEqual(before);
});

describe('a message that is deleted at its door', () => {
  it('takes along what replies elsewhere repeat of it, whether it was recalled or stood beside what was', async () => {
    const said = await talk.place();
    const { personId } = said;
    const source = `said-${randomUUID()}`;
    await talk.say(said, { externalId: source, text: 'My boat is Zephyrine.', target: null });
    await commitTurn(talk.database, await talk.claim(said), answered(), true);
    const { conversationId } = await talk.placeOf(personId);
    const alsoShown = [{ id: randomUUID(), sources: [source] }];
    for (const [reply, details] of [
      ['Zephyrine sails.', { alsoShown }],
      ['As I said: Zephyrine.', {}],
      ['Nothing of it.', { alsoShown }],
    ] as const) {
      await talk.accept({ conversationId, personId }, `asked-${randomUUID()}`);
      const turn = { ...answered(), reply, details };
      await commitTurn(talk.database, await talk.claim({ conversationId, personId }), turn, true);
    }
    expect(await reviseLine(talk.database, { door: 'discord', messageId: source, text: null })).toHaveLength(
      1,
    );
    const rows = await talk.stores.query(
      `SELECT text, withheld FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
      [conversationId],
    );
    expect(rows).toEqual([
      { text: '', withheld: 'deleted' },
      { text: '', withheld: 'deleted' },
      { text: 'Nothing of it.', withheld: null },
    ]);
  });

  it('takes along what repeats it thousands of lines later, where it was in view', async () => {
    const where = await talk.place();
    const source = `said-${randomUUID()}`;
    await talk.say(where, { externalId: source, text: 'My boat is Zephyrine.', target: null });
    const first = answered();
    await commitTurn(talk.database, await talk.claim(where), first, true);
    const [line] = await talk.stores.query(
      `INSERT INTO transcript (conversation_id, turn_id, person_id, role, name, text, at)
       SELECT conversation_id, gen_random_uuid(), person_id, role, name, 'chatter', at
       FROM transcript, generate_series(1, 6000) WHERE turn_id = $1 AND role = 'person'
       RETURNING (SELECT min(id) FROM transcript WHERE turn_id = $1)::text AS id`,
      [first.turnId],
    );
    for (const from of [line!['id'], '9000000']) {
      await talk.accept(where, `asked-${randomUUID()}`);
      const turn = { ...answered(), reply: 'Zephyrine sails.', details: { view: { from, epoch: null } } };
      await commitTurn(talk.database, await talk.claim(where), turn, true);
    }
    await reviseLine(talk.database, { door: 'discord', messageId: source, text: null });
    const rows = await talk.stores.query(
      `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id DESC LIMIT 2`,
      [where.conversationId],
    );
    expect(rows).toEqual([{ text: 'Zephyrine sails.' }, { text: '' }]);
  });

  it('leaves no words in a reply whose delivery ends in the same moment', async () => {
    const where = await talk.place();
    const source = `said-${randomUUID()}`;
    await talk.accept(where, source);
    const turn = { ...answered(), reply: 'hello, hello' };
    await commitTurn(talk.database, await talk.claim(where), turn, true);
    const steps = new EventEmitter();
    const isNoted = once(steps, 'noted');
    const mayCommit = once(steps, 'commit');
    const delivering = talk.database.asSystem(async (tx) => {
      const data = { status: 'delivered', settledAt: new Date() };
      await tx.outboxMessage.updateMany({ where: { turnId: turn.turnId }, data });
      await noteDelivered(tx, turn.turnId, 'all');
      steps.emit('noted');
      await mayCommit;
    });
    await isNoted;
    const revising = reviseLine(talk.database, { door: 'discord', messageId: source, text: null });
    await Promise.race([revising, setTimeout(500)]);
    steps.emit('commit');
    await Promise.all([delivering, revising]);
    const kept = await talk.stores.query('SELECT text FROM outbox WHERE turn_id = $1', [turn.turnId]);
    expect(kept).toEqual([{ text: '' }]);
  });
});

describe('a message whose line retention has taken', () => {
  /** Says something whose reply repeats it, as does one that recalled it elsewhere; then its line goes. */
  async function taken() {
    const where = await talk.place();
    const { messageId, turnId } = await talk.sayTo(where, 'My boat is Zephyrine.', 'A fine boat.');
    const elsewhere = await talk.placeOf(where.personId);
    await talk.accept(elsewhere, randomUUID());
    const recalled = [{ ...memoryOf('direct'), text: 'My boat is Zephyrine.', sources: [messageId] }];
    const repeating = { ...answered(), reply: 'Zephyrine sails.', recalled };
    await commitTurn(talk.database, await talk.claim(elsewhere), repeating, true);
    await talk.stores.query(`DELETE FROM transcript WHERE turn_id = $1 AND role = 'person'`, [turnId]);
    await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [messageId]);
    const lines = async () => {
      const rows = await talk.stores.query(
        `SELECT text FROM transcript WHERE turn_id IN ($1, $2) ORDER BY id`,
        [turnId, repeating.turnId],
      );
      return rows.map(({ text }) => text);
    };
    return { messageId, turnId, lines };
  }
  const ordersFor = (messageId: string) =>
    talk.stores.query(`SELECT what ->> 'kind' AS kind FROM forget_orders WHERE what ->> 'source' = $1`, [
      messageId,
    ]);

  it('takes along its reply and what repeats it when it is deleted, once', async () => {
    const { messageId, lines } = await taken();
    const deletion = { door: 'discord', messageId, text: null } as const;
    expect(await reviseLine(talk.database, deletion)).toHaveLength(1);
    expect(await lines()).toEqual(['', 'hello', '']);
    expect(await reviseLine(talk.database, deletion)).toEqual([]);
    expect(await ordersFor(messageId)).toEqual([{ kind: 'revision' }]);
  });

  it('takes along what repeats its old words when it is edited, and has no line again', async () => {
    const { messageId, lines } = await taken();
    const edit = { door: 'discord', messageId, text: 'My boat is sold.' } as const;
    expect(await reviseLine(talk.database, edit)).toHaveLength(1);
    expect(await lines()).toEqual(['A fine boat.', 'hello', '']);
    expect(await ordersFor(messageId)).toEqual([{ kind: 'revision' }]);
  });
});

it('a private message that is edited has its new words while private talk lasts, and none once it is over', async () => {
  const where = await talk.place();
  const messageId = `said-${randomUUID()}`;
  const since = new Date(Date.now() - 60_000).toISOString();
  const memory = { privacy: { private: true, since: since as string | null } };
  const messenger = { ask: async () => memory.privacy };
  const privateTalk = new PrivateTalk(
    talk.database,
    talk.locks,
    messenger as never,
    () => undefined,
    pino({ level: 'silent' }),
  );
  await privateTalk.set(where.personId, true);
  await talk.accept(where, messageId);
  const turn = answered();
  await commitTurn(talk.database, await talk.claim(where), turn, true);
  const lineOf = () =>
    talk.stores.query(`SELECT text, withheld FROM transcript WHERE turn_id = $1 AND role = 'person'`, [
      turn.turnId,
    ]);
  await reviseLine(talk.database, { door: 'discord', messageId, text: 'hello Zephyrine' });
  expect(await lineOf()).toEqual([{ text: 'hello Zephyrine', withheld: 'private' }]);
  memory.privacy = { private: false, since: null };
  await privateTalk.set(where.personId, false);
  await reviseLine(talk.database, { door: 'discord', messageId, text: 'hello again, Zephyrine' });
  expect(await lineOf()).toEqual([{ text: '', withheld: 'private' }]);
});
