import { expect, it } from '@jest/globals';
import { Audience } from '@kith/contracts';
import { answered, memoryOf, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { noteDelivered } from '../redaction/undelivered-reply.js';
import type { Speaker } from './conversations.js';
import { traceTurn } from './trace-turn.js';
import { viewTurn } from './view-turn.js';

const talk = withTalk();

/** Has a reply written from a memory, which waits for Discord. */
async function written(
  where: Speaker,
  origin: 'outreach' | 'message',
  audience: Audience = 'channel:discord:2',
) {
  await talk.say(where, {
    origin,
    text: 'They asked you to come back.',
    target: { userId: '1', channelId: '2', mention: true },
  });
  const reply = 'Bob said that the raid is at nine.';
  const turn = { ...answered(), reply, recalled: [memoryOf(audience)] };
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

it('shows no reply of a place that the app has left, and elsewhere nothing recalled from there, until it is back', async () => {
  const [there] = (await talk.channelOf(1)) as [Speaker];
  const [place] = await talk.rowsOf<{ audience: string }>('conversations', 'audience', there);
  const audience = Audience.parse(place?.audience);
  const turns = [
    await written(there, 'message', audience),
    await written(await talk.placeOf(there.personId), 'message', audience),
  ];
  const shown = () => Promise.all(turns.map((turn) => turn.shown()));
  const note = (left: string) =>
    talk.stores.query(`UPDATE conversations SET left_at = ${left} WHERE audience = $1`, [audience]);
  await note('now()');
  expect(await shown()).toEqual([[null], ALL.slice(0, 1)]);
  await note('NULL');
  expect(await shown()).toEqual([ALL, ALL]);
});

it('shows an operator no words of somebody’s turn, not even by the name of a tool that a model made up', async () => {
  const where = await talk.place();
  const tools = [
    { name: 'search_memory', ok: true, tookMs: 1 },
    { name: 'tell_of_the_divorce', ok: false, tookMs: 1 },
  ];
  const turn = { ...answered(), reply: 'Your divorce?', details: { tools } };
  await talk.say(where);
  await commitTurn(talk.database, await talk.claim(where), turn, false);
  const seenBy = async (personId: string) => {
    const { reply, trace } = await traceTurn(talk.database, { personId, isOperator: true }, turn.turnId);
    return [reply, ...trace.tools.map(({ name }) => name)];
  };
  expect(await seenBy((await talk.place()).personId)).toEqual([null, 'search_memory']);
  expect(await seenBy(where.personId)).toEqual(['Your divorce?', 'search_memory', 'tell_of_the_divorce']);
});
