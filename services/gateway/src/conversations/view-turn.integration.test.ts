import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { answered, withTalk } from '../e2e/talk.js';
import { acceptMessage } from '../inbox/accept-message.js';
import { commitTurn } from '../outcome/commit-turn.js';
import type { Speaker } from './conversations.js';
import { viewTurn } from './view-turn.js';

const talk = withTalk();

/** Has a reply written, which waits for Discord. */
async function written(where: Speaker, origin: 'outreach' | 'message') {
  await acceptMessage(talk.turnStores, {
    ...{ ...where, door: 'discord', externalId: randomUUID(), origin, text: 'They asked you to come back.' },
    ...{ target: { userId: '1', channelId: '2', mention: true }, sentAt: new Date() },
  });
  const turn = { ...answered(), reply: 'Bob said that the raid is at nine.' };
  await commitTurn(talk.database, await talk.claim(where), turn, false);
  const end = (status: string) =>
    talk.stores.query('UPDATE outbox SET status = $2 WHERE turn_id = $1', [turn.turnId, status]);
  const replyShown = async () => (await viewTurn(talk.database, where.personId, turn.turnId)).reply;
  return { end, replyShown, reply: turn.reply };
}

it('shows what the companion writes first in a channel once it stands there', async () => {
  const [ann] = (await talk.channelOf(1)) as [Speaker];
  const { end, replyShown, reply } = await written(ann, 'outreach');
  expect(await replyShown()).toBeNull();
  await end('delivered');
  expect(await replyShown()).toBe(reply);
});

it('shows an answer, and what it writes first to somebody alone, while it waits for its door', async () => {
  const [ann] = (await talk.channelOf(1)) as [Speaker];
  const answer = await written(ann, 'message');
  expect(await answer.replyShown()).toBe(answer.reply);
  const alone = await written(await talk.place(), 'outreach');
  expect(await alone.replyShown()).toBe(alone.reply);
});
