import { expect, it } from '@jest/globals';
import { answered, memoryOf, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { noteDelivered } from '../redaction/undelivered-reply.js';
import type { Speaker } from './conversations.js';
import { viewTurn } from './view-turn.js';

const talk = withTalk();

/** Has a reply written from a memory, which waits for Discord. */
async function written(where: Speaker, origin: 'outreach' | 'message') {
  await talk.say(where, {
    origin,
    text: 'They asked you to come back.',
    target: { userId: '1', channelId: '2', mention: true },
  });
  const reply = 'Bob said that the raid is at nine.';
  const turn = { ...answered(), reply, recalled: [memoryOf('channel:discord:2')] };
  await commitTurn(talk.database, await talk.claim(where), turn, false);
  const end = (status: string) =>
    talk.database.asSystem(async (tx) => {
      await tx.outboxMessage.updateMany({ where: { turnId: turn.turnId }, data: { status } });
      await noteDelivered(tx, turn.turnId, status === 'delivered' ? 'all' : 'nothing');
    });
  const shown = async () => {
    const view = await viewTurn(talk.database, where.personId, turn.turnId);
    return [view.reply, ...view.recalled.map(({ text }) => text)];
  };
  return { end, shown };
}

const ALL = ['Bob said that the raid is at nine.', 'words'];

it('shows what the companion writes first in a channel, and recalled for it, once it stands there', async () => {
  const [ann] = (await talk.channelOf(1)) as [Speaker];
  const { end, shown } = await written(ann, 'outreach');
  expect(await shown()).toEqual([null]);
  await end('dropped');
  expect(await shown()).toEqual([null]);
  await end('delivered');
  expect(await shown()).toEqual(ALL);
});

it('shows an answer, and what it writes first to somebody alone, while it waits for its door', async () => {
  const [ann] = (await talk.channelOf(1)) as [Speaker];
  expect(await (await written(ann, 'message')).shown()).toEqual(ALL);
  expect(await (await written(await talk.place(), 'outreach')).shown()).toEqual(ALL);
});
