import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Speaker } from '../conversations/conversations.js';
import { answered, LIMITS, withTalk } from '../e2e/talk.js';
import { claimBurst } from '../inbox/claim-burst.js';
import { commitTurn, dropMessages } from '../outcome/commit-turn.js';
import { turnIdOf } from '../signals/turn-id-of.js';
import { markOpen, type LineChoice } from './choose-lines.js';
import { reviseLine } from './revise-line.js';
import { switchPrivateTalk } from '../forgetting/testing-private-talk.js';
import { TranscriptRedactor } from './transcript-redactor.js';

const talk = withTalk();

const keptOf = async ({ personId }: Speaker) =>
  (await talk.stores.query<{ text: string }>('SELECT text FROM inbox WHERE person_id = $1', [personId])).map(
    ({ text }) => text,
  );

/** Makes a message that a hook refused: it has no line. */
const refused = async (where: Speaker) => (await talk.exchange(where, { isUnheard: true })).messageId;

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

const privacyEnds = (where: Speaker) => switchPrivateTalk(talk.database, where, false);
const forgotten = ({ personId }: Speaker, messageId: string) =>
  talk.database.asSystem((tx) =>
    markOpen(tx, randomUUID(), { personId, companionId: null, what: { sources: [messageId] } }),
  );

describe.each([
  ['of private talk that is over', privacyEnds, ''],
  ['that was forgotten meanwhile', forgotten, ''],
  ['of neither', async () => undefined, 'hello'],
])('a message %s', (_, change, kept) => {
  /** Makes a message of private talk that waits, with what happens meanwhile. */
  async function waiting(where: Speaker) {
    await switchPrivateTalk(talk.database, where, true);
    const messageId = randomUUID();
    await talk.accept(where, messageId);
    return { messageId, claim: await talk.claim(where) };
  }

  it('is dropped as poison with no more of its words, or its turn’s calls, than may stay', async () => {
    const where = await talk.place();
    const { messageId, claim } = await waiting(where);
    await talk.stores.query(
      `INSERT INTO tool_calls (id, key, person_id, companion_id, conversation_id, turn_id, tool, pin, place, arguments,
         status)
       VALUES (gen_random_uuid(), gen_random_uuid()::text, $1, 'mira', $2, $3, 'order', 'pin', '{}', '{}', 'done')`,
      [where.personId, where.conversationId, turnIdOf(where.conversationId, claim.burst[0]!.id)],
    );
    await change(where, messageId);
    await dropMessages(talk.database, claim);
    expect(await keptOf(where)).toEqual([kept]);
    const calls = await talk.stores.query('SELECT 1 FROM tool_calls WHERE person_id = $1', [where.personId]);
    expect(calls).toHaveLength(kept === '' ? 0 : 1);
  });

  it('is dropped as unreadable with no more of its words', async () => {
    const where = await talk.place();
    const { messageId } = await waiting(where);
    await change(where, messageId);
    await talk.stores.query(
      `UPDATE inbox SET target = '"nowhere"', lease_until = NULL WHERE person_id = $1`,
      [where.personId],
    );
    await claimBurst(talk.turnStores, where, LIMITS);
    const [row] = await talk.stores.query('SELECT outcome_reason, text FROM inbox WHERE person_id = $1', [
      where.personId,
    ]);
    expect(row).toEqual({ outcome_reason: 'unreadable', text: kept });
  });
});

it('the reason for which the companion wrote goes with what it was about', async () => {
  const where = await talk.place();
  const attemptId = await refused(where);
  await talk.stores.query(`UPDATE inbox SET origin = 'outreach' WHERE external_id = $1`, [attemptId]);
  const order = { orderId: randomUUID(), personId: where.personId, until: null, keepTalk: false };
  await new TranscriptRedactor(talk.database).forgetStarted(order, [attemptId]);
  expect(await keptOf(where)).toEqual(['']);
});
