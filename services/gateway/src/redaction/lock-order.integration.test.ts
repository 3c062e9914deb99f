import { randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { expect, it } from '@jest/globals';
import type { Tx } from '@kith/database';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { reviseLine } from './revise-line.js';
import { markOpen } from './choose-lines.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

/** Runs work while another transaction has its first lock and not yet its second. */
async function between(
  first: (tx: Tx) => Promise<unknown>,
  second: (tx: Tx) => Promise<unknown>,
  work: () => Promise<unknown>,
): Promise<void> {
  const steps = new EventEmitter();
  const isLocked = once(steps, 'locked');
  const mayGoOn = once(steps, 'on');
  const other = talk.database.asSystem(async (tx) => {
    await first(tx);
    steps.emit('locked');
    await mayGoOn;
    await second(tx);
  });
  await isLocked;
  const done = work();
  await Promise.race([done, setTimeout(500)]);
  steps.emit('on');
  await Promise.all([other, done]);
}

it('an undo waits for a commit of what a later order names, and neither for the other for ever', async () => {
  const { conversationId, personId } = await talk.place();
  const transcript = new TranscriptRedactor(talk.database);
  const order = async (messageId: string) => {
    const [orderId, until] = [randomUUID(), new Date(Date.now() + 60_000)];
    const what = { kind: 'sources', sources: [messageId] };
    await talk.stores.query(
      `INSERT INTO forget_orders (id, person_id, reason, what, undo_until) VALUES ($1, $2, 'forgotten', $3, $4)`,
      [orderId, personId, JSON.stringify(what), until],
    );
    const choice = { personId, companionId: null, what: { sources: [messageId] } };
    await talk.database.asSystem((tx) => markOpen(tx, orderId, choice));
    const remembered = { memoryIds: [], sources: [] };
    await transcript.forget({ orderId, until, keepTalk: false }, choice, remembered);
    return orderId;
  };
  const [answeredId, openId] = [randomUUID(), randomUUID()];
  await talk.accept({ conversationId, personId }, answeredId);
  await commitTurn(talk.database, await talk.claim({ conversationId, personId }), answered(), false);
  const undone = await order(answeredId);
  await talk.accept({ conversationId, personId }, openId);
  const later = await order(openId);
  await between(
    (tx) => tx.$queryRaw`SELECT 1 FROM inbox WHERE external_id = ${openId} FOR UPDATE`,
    (tx) => tx.$executeRaw`UPDATE conversations SET last_message_at = now()
      WHERE conversation_id = ${conversationId}::uuid`,
    () => transcript.undo(personId, undone),
  );
  const rows = await talk.stores.query('SELECT forgotten_by FROM inbox WHERE external_id = $1', [openId]);
  expect(rows).toEqual([{ forgotten_by: later }]);
});

it('an edit waits for an order in whose place it was said before it empties what nobody answered', async () => {
  const where = await talk.place();
  const messageId = randomUUID();
  await talk.accept(where, messageId);
  await commitTurn(talk.database, await talk.claim(where), answered(), false);
  const unheard = await talk.placeOf(where.personId);
  await talk.accept(unheard, messageId);
  await commitTurn(talk.database, await talk.claim(unheard), { ...answered(), isUnheard: true }, false);
  await between(
    (tx) => tx.$queryRaw`
      SELECT 1 FROM conversations WHERE conversation_id = ${where.conversationId}::uuid FOR UPDATE`,
    (tx) =>
      tx.$executeRaw`UPDATE inbox SET text = '' WHERE conversation_id = ${unheard.conversationId}::uuid`,
    () => reviseLine(talk.database, { door: 'discord', messageId, text: 'new' }),
  );
  const rows = await talk.stores.query(`SELECT text FROM inbox WHERE external_id = $1 AND text <> ''`, [
    messageId,
  ]);
  expect(rows).toEqual([]);
});
