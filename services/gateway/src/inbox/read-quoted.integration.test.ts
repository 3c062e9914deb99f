import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Quote } from '@kith/contracts';
import type { Speaker } from '../conversations/conversations.js';
import { NOTHING_MADE, answered, withTalk } from '../e2e/talk.js';
import { switchPrivateTalk } from '../forgetting/testing-private-talk.js';
import { deleteSharedLines } from '../redaction/delete-shared-lines.js';
import { reviseLine } from '../redaction/revise-line.js';
import { turnsQuoting } from '../redaction/reply-quotes.js';
import { TranscriptRedactor } from '../redaction/transcript-redactor.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { readQuoted } from './read-quoted.js';
import { reviseMessage } from './revise-message.js';

const talk = withTalk();

const speakers = async () => (await talk.channelOf(2)) as [Speaker, Speaker];

/** Accepts a message that refers to another, and claims it. */
async function claimQuoting(where: Speaker, quote: Quote, externalId: string = randomUUID()) {
  await talk.say(where, { externalId, text: 'What was that?', target: null, quote });
  return talk.claim(where);
}

/** Reads what a new message of somebody refers to. */
async function quotedBy(where: Speaker, quote: Quote) {
  return readQuoted(talk.database, await claimQuoting(where, quote));
}

/** Answers somebody at Discord who said their word. */
const replyTo = (where: Speaker, reply: string) => talk.sayAtDiscord(where, 'My word is zebra77.', reply);

const withhold = (turnId: string, why: string) =>
  talk.stores.query('UPDATE transcript SET withheld = $2 WHERE turn_id = $1', [turnId, why]);

describe('what a message refers to', () => {
  it('is told with its line and its source, as somebody else said it', async () => {
    const [ann, bob] = await speakers();
    const { messageId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
    const [quoted, ...others] = await quotedBy(bob, { messageId, name: 'Ann', text: 'My word is zebra77.' });
    expect(others).toEqual([]);
    expect(quoted).toMatchObject({
      name: 'Ann',
      text: 'My word is zebra77.',
      sources: [messageId],
      isOwn: false,
    });
    expect(quoted!.lineIds).toHaveLength(1);
  });

  it('is left out once its words are forgotten, private, deleted, or were never answered', async () => {
    const [ann, bob] = await speakers();
    for (const why of ['forgotten', 'private', 'deleted']) {
      const { messageId, turnId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
      await withhold(turnId, why);
      expect(await quotedBy(bob, { messageId, name: 'Ann', text: 'My word is zebra77.' })).toEqual([]);
      await talk.stores.query('DELETE FROM inbox WHERE person_id = $1', [bob.personId]);
    }
    for (const change of [
      'deleted_at = now()',
      'forgotten_by = gen_random_uuid()',
      `outcome = 'failed', ended_at = now(), text = ''`,
    ]) {
      const waiting = randomUUID();
      await talk.accept(ann, waiting);
      await talk.stores.query(`UPDATE inbox SET ${change} WHERE external_id = $1`, [waiting]);
      expect(await quotedBy(bob, { messageId: waiting, name: 'Ann', text: 'hello' })).toEqual([]);
      await talk.stores.query('DELETE FROM inbox WHERE person_id = $1', [bob.personId]);
    }
  });

  it('is told to its own person alone where they talk in private and it waits, and to nobody once that is over', async () => {
    const [ann, bob] = await speakers();
    await switchPrivateTalk(talk.database, ann, true);
    const messageId = randomUUID();
    await talk.accept(ann, messageId);
    const quote = { messageId, name: 'Ann', text: 'hello' };
    expect(await quotedBy(bob, quote)).toEqual([]);
    const elsewhere = await talk.withAnother(ann);
    expect(await quotedBy(elsewhere, quote)).toMatchObject([{ isOwn: true }]);
    await switchPrivateTalk(talk.database, ann, false);
    for (const where of [bob, elsewhere]) {
      await talk.stores.query(`DELETE FROM inbox WHERE external_id <> $1`, [messageId]);
      expect(await quotedBy(where, quote)).toEqual([]);
    }
  });

  it('is not told where it failed in private talk that lasts', async () => {
    const [ann, bob] = await speakers();
    await switchPrivateTalk(talk.database, ann, true);
    const [failed, before] = [randomUUID(), randomUUID()];
    for (const messageId of [failed, before]) await talk.accept(ann, messageId);
    const end = `UPDATE inbox SET outcome = 'failed', ended_at = $2, sent_at = $2 WHERE external_id = $1`;
    await talk.stores.query(end, [failed, new Date()]);
    await talk.stores.query(end, [before, new Date(Date.now() - 60_000)]);
    expect(await quotedBy(bob, { messageId: failed, name: 'Ann', text: 'hello' })).toEqual([]);
    await talk.stores.query('DELETE FROM inbox WHERE person_id = $1', [bob.personId]);
    expect(await quotedBy(bob, { messageId: before, name: 'Ann', text: 'hello' })).toHaveLength(1);
  });

  it('is told to nobody once it was forgotten, also while its person is being erased', async () => {
    const [ann, bob] = await speakers();
    const { messageId, turnId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
    await withhold(turnId, 'forgotten');
    await talk.stores.query('DELETE FROM people WHERE person_id = $1', [ann.personId]);
    expect(await quotedBy(bob, { messageId, name: 'Ann', text: 'zebra77' })).toEqual([]);
  });

  it('has the words of its last edit', async () => {
    const [ann, bob] = await speakers();
    const { messageId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
    await reviseLine(talk.database, { door: 'discord', messageId, text: 'My word is gone.' });
    const quote = { messageId, name: 'Ann', text: 'My word is zebra77.' };
    expect(await quotedBy(bob, quote)).toMatchObject([{ text: 'My word is gone.' }]);
  });

  it('has the new words of a message that waits for its answer', async () => {
    const [ann, bob] = await speakers();
    const messageId = randomUUID();
    await talk.accept(ann, messageId);
    const quote = { messageId, name: 'Ann', text: 'My word is zebra77.' };
    const claim = await claimQuoting(bob, quote);
    expect(await readQuoted(talk.database, claim)).toMatchObject([{ text: 'My word is zebra77.' }]);
    const edited = { door: 'discord' as const, messageId, text: 'My word is gone.', at: new Date() };
    await reviseMessage(talk.database, edited);
    expect(await readQuoted(talk.database, claim)).toMatchObject([{ text: 'My word is gone.' }]);
    // A reply that was told the old ones is not told.
    const turn = answered();
    await commitTurn(talk.database, claim, turn, false);
    const lines = await talk.stores.query(
      `SELECT withheld IS NULL AS told FROM transcript WHERE turn_id = $1 AND role = 'companion'`,
      [turn.turnId],
    );
    expect(lines).toEqual([{ told: false }]);
  });

  it('is a reply of the companion, which goes back to what it answered, and is left out once that went', async () => {
    const [ann, bob] = await speakers();
    const { messageId, platformId, turnId } = await replyTo(ann, 'It is zebra77.');
    const quote = { messageId: platformId, name: null, text: 'It is zebra77.' };
    const claim = await claimQuoting(bob, quote);
    expect(await readQuoted(talk.database, claim)).toMatchObject([{ sources: [messageId], isOwn: false }]);
    await withhold(turnId, 'forgotten');
    expect(await readQuoted(talk.database, claim)).toEqual([]);
    await talk.stores.query('DELETE FROM transcript WHERE turn_id = $1', [turnId]);
    expect(await readQuoted(talk.database, claim)).toEqual([]);
  });

  it.each(['channel', 'direct'] as const)(
    'is a reply of another companion in a %s, and goes in the same way',
    async (kind) => {
      const [ann, bob] = kind === 'channel' ? await speakers() : await talk.place().then((own) => [own, own]);
      const { messageId, platformId, turnId } = await replyTo(ann!, 'It is zebra77.');
      const quote = { messageId: platformId, name: null, text: 'It is zebra77.' };
      const claim = await claimQuoting(await talk.withAnother(bob!), quote);
      const told = await readQuoted(talk.database, claim);
      expect(told).toMatchObject([{ sources: [messageId], keys: [`discord:${messageId}`] }]);
      const quotedElsewhere = told.flatMap(({ keys }) => keys);
      const details = { view: { epoch: null, from: null, quoted: [], quotedElsewhere } };
      const turn = { ...answered(), reply: 'She said zebra77.', details };
      await withhold(turnId, 'forgotten');
      expect(await readQuoted(talk.database, claim)).toEqual([]);
      await commitTurn(talk.database, claim, turn, false);
      await reviseLine(talk.database, { door: 'discord', messageId, text: null });
      const lines = await talk.stores.query(
        `SELECT text FROM transcript WHERE text LIKE '%zebra77%' AND turn_id = $1`,
        [turn.turnId],
      );
      expect(lines).toEqual([]);
    },
  );

  it('is a reply of another companion, and what is answered meanwhile is not told once that is forgotten', async () => {
    const [ann, bob] = await speakers();
    const { messageId, platformId } = await replyTo(ann, 'It is zebra77.');
    const quote = { messageId: platformId, name: null, text: 'It is zebra77.' };
    const claim = await claimQuoting(await talk.withAnother(bob), quote);
    expect(await readQuoted(talk.database, claim)).toHaveLength(1);
    const choice = { personId: ann.personId, companionId: null, what: { sources: [messageId] } };
    await new TranscriptRedactor(talk.database).forget(
      { orderId: randomUUID(), until: null, keepTalk: false },
      choice,
      { memoryIds: [], sources: [messageId] },
    );
    const turn = { ...answered(), reply: 'So it is zebra77!' };
    await commitTurn(talk.database, claim, turn, false);
    const lines = await talk.stores.query(
      `SELECT withheld FROM transcript WHERE turn_id = $1 AND role = 'companion'`,
      [turn.turnId],
    );
    expect(lines).toEqual([{ withheld: 'forgotten' }]);
  });

  it('is told as it came where nothing is known of it', async () => {
    const [, bob] = await speakers();
    const strange = { messageId: 'elsewhere', name: null, text: 'Well.' };
    expect(await quotedBy(bob, strange)).toMatchObject([
      { text: 'Well.', sources: ['elsewhere'], lineIds: [] },
    ]);
  });

  it('is gone from a message that waits when its speaker is erased', async () => {
    const [ann, bob] = await speakers();
    const said = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
    const reply = await replyTo(ann, 'It is zebra77.');
    const waiting = [said.messageId, reply.platformId].map((messageId) => ({
      messageId,
      name: 'Ann',
      text: 'zebra77',
    }));
    for (const quote of waiting) {
      const claim = await claimQuoting(bob, quote);
      await talk.stores.query('UPDATE inbox SET lease_until = NULL WHERE id = $1', [claim.burst[0]!.id]);
    }
    await deleteSharedLines(talk.database, ann.personId, NOTHING_MADE);
    const left = await talk.stores.query('SELECT quote FROM inbox WHERE person_id = $1', [bob.personId]);
    expect(left).toEqual([{ quote: null }, { quote: null }]);
  });
});

it('a reply that was written with words its person referred to goes with them, however long ago they were said', async () => {
  const [ann, bob] = await speakers();
  const { messageId } = await talk.sayTo(ann, 'My word is zebra77.', 'I see.');
  const claim = await claimQuoting(bob, { messageId, name: 'Ann', text: 'My word is zebra77.' });
  const quoted = (await readQuoted(talk.database, claim)).flatMap(({ lineIds }) => lineIds.map(String));
  const details = { view: { epoch: null, from: '9000000', quoted } };
  await commitTurn(talk.database, claim, { ...answered(), reply: 'Her word is zebra77.', details }, false);
  await reviseLine(talk.database, { door: 'discord', messageId, text: null });
  const told = await talk.stores.query(
    `SELECT text FROM transcript WHERE conversation_id = $1 AND text <> '' ORDER BY id`,
    [bob.conversationId],
  );
  expect(told).toEqual([{ text: 'What was that?' }]);
});

describe('a reply that quoted a message before it was answered', () => {
  /** Bob is told what Ann's message says, which still waits. */
  async function quotedWaiting() {
    const [ann, bob] = await speakers();
    const messageId = randomUUID();
    await talk.say(ann, { externalId: messageId, text: 'My word is zebra77.', target: null });
    const claim = await claimQuoting(bob, { messageId, name: 'Ann', text: 'My word is zebra77.' });
    const quotedElsewhere = (await readQuoted(talk.database, claim)).flatMap(({ keys }) => keys);
    const details = { view: { epoch: null, from: '9000000', quoted: [], quotedElsewhere } };
    const turn = { ...answered(), reply: 'Her word is zebra77.', details };
    await commitTurn(talk.database, claim, turn, false);
    return { ann, bob, messageId, turnId: turn.turnId };
  }
  const answer = async (ann: Speaker) =>
    commitTurn(talk.database, await talk.claim(ann), { ...answered(), reply: 'I see.' }, false);
  const replyTo = async (turnId: string) => {
    const [line] = await talk.stores.query<{ text: string; withheld: string | null }>(
      `SELECT text, withheld FROM transcript WHERE turn_id = $1 AND role = 'companion'`,
      [turnId],
    );
    return line;
  };
  const notedIn = (orderId: string) =>
    talk.stores.query(`SELECT what -> 'replyTurnIds' AS noted FROM forget_orders WHERE id = $1`, [orderId]);
  const isGone = { text: '', withheld: 'deleted' };

  it('goes when that is deleted while it waits, with what was made of it', async () => {
    const { messageId, turnId } = await quotedWaiting();
    const deleted = { door: 'discord' as const, messageId, text: null, at: new Date() };
    const revised = await reviseMessage(talk.database, deleted);
    expect(await replyTo(turnId)).toEqual(isGone);
    expect(await notedIn(revised!.orders[0]!.orderId)).toEqual([{ noted: [turnId] }]);
  });

  it('takes with it what another companion is answering about it just then', async () => {
    const { bob, messageId, turnId } = await quotedWaiting();
    const platformId = String((BigInt(Date.now()) - 1_420_070_400_000n) << 22n);
    await talk.stores.query(
      `INSERT INTO outbox (id, turn_id, conversation_id, person_id, door, target, text, platform_ids)
       SELECT gen_random_uuid(), turn_id, conversation_id, person_id, door, '{}', '', $2 FROM turns WHERE turn_id = $1`,
      [turnId, [platformId]],
    );
    const quote = { messageId: platformId, name: null, text: 'Her word is zebra77.' };
    const claim = await claimQuoting(await talk.withAnother(bob), quote);
    expect(await readQuoted(talk.database, claim)).toHaveLength(1);
    await reviseMessage(talk.database, { door: 'discord', messageId, text: null, at: new Date() });
    const turn = { ...answered(), reply: 'So it is zebra77!' };
    await commitTurn(talk.database, claim, turn, false);
    expect(await replyTo(turn.turnId)).toMatchObject({ withheld: 'forgotten' });
  });

  it('stays where an edit leaves the words that it repeats, and goes where it does not', async () => {
    const { messageId, turnId } = await quotedWaiting();
    const edit = (text: string) =>
      reviseMessage(talk.database, { door: 'discord', messageId, text, at: new Date() });
    expect((await edit('My word is zebra77!'))!.orders).toEqual([]);
    expect(await replyTo(turnId)).toEqual({ text: 'Her word is zebra77.', withheld: null });
    await edit('My word is okapi.');
    expect(await replyTo(turnId)).toEqual({ text: '', withheld: 'edited' });
  });

  it('goes when that is deleted after its answer', async () => {
    const { ann, messageId, turnId } = await quotedWaiting();
    await answer(ann);
    const [order] = await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    expect(await replyTo(turnId)).toEqual(isGone);
    expect(await notedIn(order!.orderId)).toEqual([{ noted: [turnId] }]);
  });

  it('goes when that is deleted after it ended without an answer', async () => {
    const { messageId, turnId } = await quotedWaiting();
    await talk.stores.query(`UPDATE inbox SET outcome = 'failed', ended_at = now() WHERE external_id = $1`, [
      messageId,
    ]);
    const [order] = await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    expect(await replyTo(turnId)).toEqual(isGone);
    expect(await notedIn(order!.orderId)).toEqual([{ noted: [turnId] }]);
  });

  it.each([true, false])('goes when that is forgotten, answered: %s', async (isAnswered) => {
    const { ann, messageId, turnId } = await quotedWaiting();
    if (isAnswered) await answer(ann);
    const order = { orderId: randomUUID(), until: null, keepTalk: false };
    await talk.stores.query(
      `INSERT INTO forget_orders (id, person_id, reason, what) VALUES ($1, $2, 'forgotten', '{}')`,
      [order.orderId, ann.personId],
    );
    const choice = { personId: ann.personId, companionId: null, what: { sources: [messageId] } };
    const nothing = { memoryIds: [], sources: [messageId] };
    const touched = await new TranscriptRedactor(talk.database).forget(order, choice, nothing);
    expect(await replyTo(turnId)).toEqual({ text: '', withheld: 'forgotten' });
    expect(touched.replyTurnIds).toEqual([turnId]);
  });

  it.each([true, false])('goes when its person is erased, answered: %s', async (isAnswered) => {
    const { ann, turnId } = await quotedWaiting();
    if (isAnswered) await answer(ann);
    await deleteSharedLines(talk.database, ann.personId, NOTHING_MADE);
    expect(await replyTo(turnId)).toEqual({ text: '', withheld: 'forgotten' });
  });

  it('does not come back by an undo once that is deleted at its door', async () => {
    const { ann, messageId, turnId } = await quotedWaiting();
    await answer(ann);
    const redactor = new TranscriptRedactor(talk.database);
    const order = { orderId: randomUUID(), until: new Date(Date.now() + 60_000), keepTalk: false };
    const choice = { personId: ann.personId, companionId: null, what: { sources: [messageId] } };
    await redactor.forget(order, choice, { memoryIds: [], sources: [messageId] });
    await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    await redactor.undo(ann.personId, order.orderId);
    expect(await replyTo(turnId)).toMatchObject({ text: '' });
  });

  it('is not told if it is written while that goes, which had ended without an answer', async () => {
    const [ann, bob] = await speakers();
    const messageId = randomUUID();
    await talk.accept(ann, messageId);
    const claim = await claimQuoting(bob, { messageId, name: 'Ann', text: 'My word is zebra77.' });
    await talk.stores.query(`UPDATE inbox SET outcome = 'failed', ended_at = now() WHERE external_id = $1`, [
      messageId,
    ]);
    await reviseLine(talk.database, { door: 'discord', messageId, text: null });
    const turn = { ...answered(), reply: 'Her word is zebra77.' };
    await commitTurn(talk.database, claim, turn, false);
    expect(await replyTo(turn.turnId)).toMatchObject({ withheld: 'forgotten' });
  });

  it('is found by an index among all turns', async () => {
    const { bob, messageId } = await quotedWaiting();
    await talk.stores.query(
      `INSERT INTO turns (turn_id, conversation_id, person_id, companion_id, door, audience, origin, outcome, trace,
         started_at, ended_at)
       SELECT gen_random_uuid(), $1, $2, 'mira', 'discord', 'direct', 'message', 'answered', '{}', now(), now()
       FROM generate_series(1, 3000)`,
      [bob.conversationId, bob.personId],
    );
    await talk.stores.query('ANALYZE turns');
    const quoted = [{ door: 'discord' as const, messageId, conversationId: bob.conversationId }];
    const plan = await talk.database.asSystem(
      (tx) => tx.$queryRaw`EXPLAIN SELECT turn_id FROM ${turnsQuoting(quoted)}`,
    );
    expect(JSON.stringify(plan)).toContain('turns_quoted_elsewhere_idx');
  });
});
