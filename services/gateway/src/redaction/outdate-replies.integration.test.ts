import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import type { Speaker } from '../conversations/conversations.js';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { outdateLine, outdateReplies } from './empty-lines.js';
import { reviseLine } from './revise-line.js';
import { TranscriptRedactor } from './transcript-redactor.js';
import { switchPrivateTalk } from '../forgetting/testing-private-talk.js';

const talk = withTalk();
const STEP = {
  number: 1,
  model: 'test',
  promptTokens: 1,
  completionTokens: 1,
  sealed: 'a thought',
  calls: [],
};

const say = async (where: Speaker) => (await talk.exchange(where, { lastStep: STEP })).messageId;

/** Makes a channel with two people, the first of whom also talks in a DM. */
async function placesOfTwo() {
  const [mallory, bob] = (await talk.channelOf(2)) as [Speaker, Speaker];
  const direct = await talk.placeOf(mallory.personId);
  const inChannel = await say(mallory);
  return { mallory, bob, direct, inChannel, inDirect: await say(direct) };
}

/**
 * Tells whether the reply to somebody is still told, and whether what it was told and thoughts in its place are kept, after
 * something that happens meanwhile.
 */
async function answeredAround(where: Speaker, change: () => Promise<unknown>) {
  await say(where);
  await talk.accept(where, randomUUID());
  const claim = await talk.claim(where);
  await change();
  const turn = answered();
  await commitTurn(talk.database, claim, turn, false);
  const [line] = await talk.stores.query(
    `SELECT withheld, trace ? 'recalled' AS "hasRecalled" FROM transcript JOIN turns USING (turn_id)
     WHERE turn_id = $1 AND role = 'companion'`,
    [turn.turnId],
  );
  const [step] = await talk.stores.query(
    `SELECT sealed FROM turn_steps WHERE conversation_id = $1 AND person_id = $2 ORDER BY at DESC LIMIT 1`,
    [where.conversationId, where.personId],
  );
  const { withheld, hasRecalled } = line!;
  return { isTold: withheld === null, hasRecalled, hasThought: step!['sealed'] !== null };
}

const UNTOUCHED = { isTold: true, hasRecalled: true, hasThought: true };
const OUTDATED = { isTold: false, hasRecalled: false, hasThought: false };

describe('a reply to somebody else that is under way', () => {
  const edit = (messageId: string) =>
    reviseLine(talk.database, { door: 'discord', messageId, text: 'other' });
  const forget = (personId: string, source: string) =>
    new TranscriptRedactor(talk.database).forget(
      { orderId: randomUUID(), until: null, keepTalk: false },
      { personId, companionId: null, what: { sources: [source] } },
      { memoryIds: [], sources: [source] },
    );

  it('is told after an edit or an order in a DM, and not after one in its channel', async () => {
    const { mallory, bob, inChannel, inDirect } = await placesOfTwo();
    expect(await answeredAround(bob, () => edit(inDirect))).toEqual(UNTOUCHED);
    expect(await answeredAround(bob, () => forget(mallory.personId, inDirect))).toEqual(UNTOUCHED);
    expect(await answeredAround(bob, () => edit(inChannel))).toEqual(OUTDATED);
    expect(await answeredAround(bob, () => forget(mallory.personId, inChannel))).toEqual(OUTDATED);
  });

  it('is told when private talk ends', async () => {
    const { mallory, bob } = await placesOfTwo();
    const ends = () => switchPrivateTalk(talk.database, mallory, false);
    expect(await answeredAround(bob, ends)).toEqual(UNTOUCHED);
  });
});

it('a reply of the person’s own elsewhere is outdated by what it may have been told', async () => {
  const { mallory, direct, inChannel, inDirect } = await placesOfTwo();
  const edit = (messageId: string) => () =>
    reviseLine(talk.database, { door: 'discord', messageId, text: `other ${randomUUID()}` });
  expect(await answeredAround(direct, edit(inChannel))).toEqual(OUTDATED);
  // What is said in a DM is told in no channel; a thought there may wait for it all the same.
  expect(await answeredAround(mallory, edit(inDirect))).toMatchObject({ isTold: true });
  const anywhere = () => talk.database.asSystem((tx) => outdateReplies(tx, mallory.personId, []));
  expect(await answeredAround(mallory, anywhere)).toEqual(OUTDATED);
  const other = await talk.placeOf(mallory.personId);
  expect(await answeredAround(other, () => talk.database.asSystem((tx) => outdateLine(tx, direct)))).toEqual(
    OUTDATED,
  );
});
