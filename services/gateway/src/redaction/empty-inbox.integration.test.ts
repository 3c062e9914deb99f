import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn, dropMessages } from '../outcome/commit-turn.js';
import type { LineChoice } from './choose-lines.js';
import { reviseLine } from './revise-line.js';
import { switchPrivateTalk } from '../forgetting/testing-private-talk.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

const keptOf = async ({ personId }: Speaker) =>
  (await talk.stores.query<{ text: string }>('SELECT text FROM inbox WHERE person_id = $1', [personId])).map(
    ({ text }) => text,
  );

/** Makes a message that a hook refused: it has no line. */
async function refused(where: Speaker): Promise<string> {
  const messageId = randomUUID();
  await talk.accept(where, messageId);
  await commitTurn(talk.database, await talk.claim(where), { ...answered(), isUnheard: true }, false);
  return messageId;
}

const forget = ({ personId }: Speaker, what: LineChoice['what']) =>
  new TranscriptRedactor(talk.database).forget(
    { orderId: randomUUID(), until: null, keepTalk: false },
    { personId, companionId: null, what },
    { memoryIds: [], sources: [] },
  );

it.each<[string, (where: Speaker, messageId: string) => Promise<unknown>]>([
  ['edited', (_, messageId) => reviseLine(talk.database, { door: 'discord', messageId, text: 'new' })],
  ['deleted', (_, messageId) => reviseLine(talk.database, { door: 'discord', messageId, text: null })],
  ['forgotten', (where, messageId) => forget(where, { sources: [messageId] })],
  ['forgotten with everything', (where) => forget(where, { before: new Date(Date.now() + 1_000) })],
])('a message that a hook refused keeps no words once it is %s', async (_, change) => {
  const where = await talk.place();
  const messageId = await refused(where);
  expect(await keptOf(where)).toEqual(['hello']);
  await change(where, messageId);
  expect(await keptOf(where)).toEqual(['']);
});

it('no message of private talk keeps its words when that is over', async () => {
  const where = await talk.place();
  await switchPrivateTalk(talk.database, where, true);
  await refused(where);
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  await switchPrivateTalk(talk.database, where, false);
  expect(await keptOf(where)).toEqual(['', 'hello']);
  await commitTurn(talk.database, claim, answered(), false);
  expect(await keptOf(where)).toEqual(['', '']);
});

it('nor does one that is dropped after that', async () => {
  const where = await talk.place();
  await switchPrivateTalk(talk.database, where, true);
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  await switchPrivateTalk(talk.database, where, false);
  await dropMessages(talk.database, claim, 'poison');
  expect(await keptOf(where)).toEqual(['']);
});

it('the reason for which the companion wrote goes with what it was about', async () => {
  const where = await talk.place();
  const attemptId = await refused(where);
  await talk.stores.query(`UPDATE inbox SET origin = 'outreach' WHERE external_id = $1`, [attemptId]);
  const order = { orderId: randomUUID(), personId: where.personId, until: null };
  await new TranscriptRedactor(talk.database).forgetStarted(order, [attemptId]);
  expect(await keptOf(where)).toEqual(['']);
});
