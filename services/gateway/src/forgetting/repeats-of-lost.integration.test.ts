import { randomUUID } from 'node:crypto';
import { describe, expect, it, jest } from '@jest/globals';
import { type AppError, memoryContract, outreachContract, personalityContract } from '@kith/contracts';
import type { Speaker } from '../conversations/conversations.js';
import { answered, marks, memoryOf, NOTHING_FORGOTTEN, withTalk } from '../e2e/talk.js';
import { ErasureRecords } from '../erasure/erasure-records.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { reviseLine } from '../redaction/revise-line.js';
import { away, withOrders } from '../e2e/orders.js';

const talk = withTalk();
const { ordersWith } = withOrders(talk);
const say = (where: Speaker) => talk.exchange(where);

describe('a later reply that repeats a message whose line retention has taken', () => {
  /** Makes such a reply, one whose prompt began after it, and what memory still has of the message. */
  async function repeated() {
    const where = await talk.place();
    const told = await talk.sayTo(where, 'My boat is Zephyrine.', 'A fine boat.');
    await talk.sayTo(where, 'I am tired', 'Go sailing with Zephyrine, then.');
    await talk.accept(where, randomUUID());
    const [next] = await talk.stores.query(`SELECT nextval('transcript_id_seq') AS id`);
    const view = { epoch: null, from: String(next!['id']), quoted: [] };
    const later = { ...answered(), reply: 'Zephyrine is a name.', details: { view } };
    await commitTurn(talk.database, await talk.claim(where), later, false);
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [told.turnId]);
    await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [told.messageId]);
    const memory = { ...memoryOf('direct'), text: 'My boat is Zephyrine.', sources: [told.messageId] };
    const known = { ...NOTHING_FORGOTTEN, memories: [memory], sources: [told.messageId] };
    const replies = async () => {
      const rows = await talk.stores.query(
        `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
        [where.conversationId],
      );
      return rows.map(({ text }) => text);
    };
    const answers = {
      [memoryContract.forget.pattern]: () => known,
      [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [] }),
    };
    return { ...told, ...where, known, replies, answers, ...ordersWith(answers) };
  }
  const REPLIES = ['Go sailing with Zephyrine, then.', 'Zephyrine is a name.'];

  it.each([
    ['all', () => ({ kind: 'all' as const })],
    ['by a memory', () => ({ kind: 'ids' as const, ids: [randomUUID()] })],
    ['by name', (messageId: string) => ({ kind: 'sources' as const, sources: [messageId] })],
  ])('goes with what is forgotten %s, and comes back with it', async (kind, what) => {
    const { personId, messageId, orders, replies, askedOf } = await repeated();
    const asked = { personId, what: what(messageId), keepTalk: false, preview: false };
    const { receipt } = await orders.forget(asked);
    expect(await replies()).toEqual(kind === 'all' ? ['', ''] : ['', REPLIES[1]]);
    expect(askedOf(memoryContract.forget).at(-1)).not.toHaveProperty('preview');
    await orders.undo(personId, receipt!);
    expect(await replies()).toEqual(REPLIES);
  });

  it('goes also where memory has more of several messages than it shows at once', async () => {
    const { personId, conversationId, messageId, known, replies, answers } = await repeated();
    const other = await talk.sayTo({ personId, conversationId }, 'I baked.', 'Nice.');
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [other.turnId]);
    await talk.sayTo({ personId, conversationId }, 'Good night', 'Sleep well.');
    const { forget } = ordersWith({
      ...answers,
      [memoryContract.forget.pattern]: ({ what }) => {
        const { sources = [] } = what as { sources?: string[] };
        return sources.length === 1 ? known : { ...known, rows: 60, memories: [] };
      },
    });
    await forget(personId, messageId, other.messageId);
    expect(await replies()).toEqual(['', REPLIES[1], 'Sleep well.']);
  });

  it('goes also where hundreds of messages are gone that were said elsewhere since', async () => {
    const { personId, messageId, orders, replies } = await repeated();
    const elsewhere = await talk.placeOf(personId);
    await talk.stores.query(
      `WITH said AS (
         INSERT INTO inbox (conversation_id, person_id, door, external_id, text, sent_at, turn_id, outcome, ended_at)
         SELECT $1, $2, 'discord', gen_random_uuid()::text, '', sent_at, gen_random_uuid(), 'answered', sent_at
         FROM inbox, generate_series(1, 300) WHERE external_id = $3 RETURNING turn_id, sent_at)
       INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace,
         started_at, ended_at)
       SELECT turn_id, $1, $2, 'mira', 'discord', 'direct', 'message', 'answered', '{}', sent_at, sent_at FROM said`,
      [elsewhere.conversationId, personId, messageId],
    );
    const [told] = await talk.stores.query<{ at: Date }>(
      'SELECT sent_at AS at FROM inbox WHERE external_id = $1',
      [messageId],
    );
    const to = new Date(told!.at.getTime() + 1).toISOString();
    const what = { kind: 'period' as const, from: told!.at.toISOString(), to };
    await orders.forget({ personId, what, keepTalk: false, preview: false });
    expect(await replies()).toEqual(['', REPLIES[1]]);
  });

  it.each([
    ['deleted', null],
    ['edited', 'My boat is sold.'],
  ])('goes when that is %s, and is named', async (_, text) => {
    const { personId, messageId, orders, replies, askedOf } = await repeated();
    const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text });
    await orders.follow(revised!.orderId, personId);
    expect(await replies()).toEqual(['', REPLIES[1]]);
    const [{ replyTurnIds }] = askedOf(personalityContract.forget) as [{ replyTurnIds: string[] }];
    expect(replyTurnIds).toHaveLength(1);
  });

  it('goes with a person who is erased, whomever it is for, and nothing of it comes back', async () => {
    const [ann, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
    const told = await talk.sayTo(ann, 'My boat is Zephyrine.', 'A fine boat.');
    const turns = [
      await talk.sayTo(bob, 'I am tired', 'Go sailing with Zephyrine, then.'),
      await talk.sayTo(bob, 'Alone?', 'Zephyrine sails by herself.'),
    ];
    const { orders, askedOf } = ordersWith({});
    const what = { kind: 'sources' as const, sources: [turns[1]!.messageId] };
    const { receipt } = await orders.forget({
      personId: bob.personId,
      what,
      keepTalk: false,
      preview: false,
    });
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [told.turnId]);
    await talk.stores.query(`UPDATE inbox SET text = '' WHERE external_id = $1`, [told.messageId]);
    const memory = { ...memoryOf('direct'), text: 'My boat is Zephyrine.', sources: [told.messageId] };
    const known = { ...NOTHING_FORGOTTEN, memories: [memory] };
    const erasing = ordersWith({ [memoryContract.forget.pattern]: () => known });
    const records = new ErasureRecords(talk.database, marks);
    await records.begin(ann.personId, 'person');
    await records.eraseRest(ann.personId, erasing.orders);
    expect(erasing.askedOf(memoryContract.forget)).toMatchObject([{ preview: true }]);
    expect(erasing.askedOf(outreachContract.forget)).toMatchObject([
      { replyTurnIds: expect.arrayContaining(turns.map(({ turnId }) => turnId)) },
    ]);
    await orders.undo(bob.personId, receipt!);
    const rows = await talk.stores.query(
      `SELECT text FROM transcript WHERE conversation_id = $1 AND role = 'companion' ORDER BY id`,
      [ann.conversationId],
    );
    expect(rows).toEqual([{ text: '' }, { text: '' }]);
    expect(askedOf(memoryContract.undoForget)).toHaveLength(1);
  });

  it('is named in the log as not looked at, where comparing takes too long', async () => {
    const { personId, messageId, orders, warn } = await repeated();
    const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    const { orderId } = revised!;
    let now = 0;
    const clock = jest.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
    await orders.follow(orderId, personId);
    clock.mockRestore();
    expect(warn.mock.calls).toEqual([[{ orderId }, expect.stringContaining('not every later reply')]]);
  });

  it('asks memory no more where no line was taken', async () => {
    const { personId } = await talk.place().then(async (where) => (await say(where), where));
    const { orders, askedOf } = ordersWith({});
    const what = { kind: 'ids' as const, ids: [randomUUID()] };
    await orders.forget({ personId, what, keepTalk: false, preview: false });
    expect(askedOf(memoryContract.forget)).toHaveLength(1);
  });
});

describe('a later reply that repeats what is gone', () => {
  /** Makes a line, and a reply to another that repeats it. */
  async function repeated() {
    const where = await talk.place();
    const told = await talk.sayTo(where, 'I have an interview at Siemens', 'Good luck!');
    const { turnId } = await talk.sayTo(where, 'I am nervous', 'I will ask you on Friday how Siemens went.');
    return { personId: where.personId, messageId: told.messageId, replyTurnIds: [turnId] };
  }

  it('is named to who made something of it when that is forgotten, also in a second go, and undone', async () => {
    const { personId, messageId, replyTurnIds } = await repeated();
    const scheduler = { isDown: true };
    const { orders, forget, askedOf } = ordersWith({
      [outreachContract.forget.pattern]: () => (scheduler.isDown ? away() : { rows: 0, attemptIds: [] }),
    });
    const forgetting = forget(personId, messageId);
    const refused = await forgetting.catch((error: unknown) => error as AppError);
    const receipt = 'details' in refused ? String(refused.details?.['receipt']) : '';
    scheduler.isDown = false;
    await orders.follow(receipt, personId);
    await orders.undo(personId, receipt);
    for (const request of [outreachContract.forget, outreachContract.undoForget]) {
      expect(askedOf(request).at(-1)).toMatchObject({ replyTurnIds });
    }
    expect(askedOf(personalityContract.forget).at(-1)).toMatchObject({ replyTurnIds });
  });

  it.each([
    ['edited', 'changed'],
    ['deleted', null],
  ])('is named when that is %s', async (_, text) => {
    const { personId, messageId, replyTurnIds } = await repeated();
    const { orders, askedOf } = ordersWith({
      [memoryContract.revise.pattern]: () => ({ memoryIds: [], others: [] }),
    });
    const [revised] = await reviseLine(talk.database, { door: 'discord', messageId, text });
    await orders.follow(revised!.orderId, personId);
    expect(askedOf(outreachContract.forget)).toMatchObject([{ replyTurnIds }]);
    expect(askedOf(personalityContract.forget)).toMatchObject([{ replyTurnIds }]);
  });
});
