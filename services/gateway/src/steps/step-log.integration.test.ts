import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import type { Speaker } from '../conversations/conversations.js';
import { withTalk } from '../e2e/talk.js';
import { switchPrivateTalk } from '../forgetting/testing-private-talk.js';
import { reviseMessage, stopMessages } from '../inbox/revise-message.js';
import { noticeOtherKey } from './notice-other-key.js';
import { StepLog } from './step-log.js';
import { ThoughtCipher } from './thought-cipher.js';

const talk = withTalk();
const cipher = new ThoughtCipher('a secret of this suite');

/** Claims a message, and gives its log with a step to be written. */
async function claimed(beforeClaim: (speaker: Speaker) => Promise<unknown> = async () => undefined) {
  const speaker = await talk.place();
  const messageId = randomUUID();
  await talk.accept(speaker, messageId);
  await beforeClaim(speaker);
  const turnId = randomUUID();
  const log = new StepLog(talk.database, cipher, await talk.claim(speaker), turnId);
  const words = { thought: '', text: '', reasoning: [], calls: [{ id: '1', name: 'note', arguments: {} }] };
  const row = log.row(1, words, { model: 'test', promptTokens: 1, completionTokens: 1 });
  const written = () => talk.stores.query('SELECT sealed FROM turn_steps WHERE turn_id = $1', [turnId]);
  return { speaker, messageId, log, row, written };
}

const at = new Date();

it('writes a step of a turn whose messages are as they were', async () => {
  const { log, row, written } = await claimed();
  await log.commit(row);
  expect(await written()).toHaveLength(1);
});

it.each(['after', null])('writes none, to call nothing, once a message reads %j', async (text) => {
  const { messageId, log, row, written } = await claimed();
  await reviseMessage(talk.database, { door: 'discord', messageId, text, at });
  await expect(log.commit(row)).rejects.toMatchObject({ reason: 'revised' });
  expect(await written()).toEqual([]);
});

it('writes none where a message is being changed as it is committed', async () => {
  const { messageId, log, row, written } = await claimed();
  const { refused } = await talk.database.asSystem(async (tx) => {
    await tx.$executeRaw`UPDATE inbox SET revision = revision + 1 WHERE external_id = ${messageId}`;
    const refused = expect(log.commit(row)).rejects.toMatchObject({ reason: 'revised' });
    const waiting = 'SELECT 1 FROM pg_locks WHERE NOT granted';
    await eventually('the step waits', async () => (await talk.stores.query(waiting)).length > 0);
    return { refused };
  });
  await refused;
  expect(await written()).toEqual([]);
});

it('writes one where an edit left all as it was, and keeps those written before', async () => {
  const { messageId, log, row, written } = await claimed();
  const [said] = await talk.stores.query('SELECT text FROM inbox WHERE external_id = $1', [messageId]);
  const edit = { door: 'discord' as const, messageId, text: String(said!['text']), at };
  await reviseMessage(talk.database, edit);
  await log.commit(row);
  expect(await reviseMessage(talk.database, edit)).toMatchObject({ count: 0, orders: [] });
  expect(await written()).toHaveLength(1);
  expect(
    await reviseMessage(talk.database, { ...edit, pictures: [{ url: 'https://a.example/1.png' }] }),
  ).toMatchObject({ count: 1 });
});

it('writes none once it was stopped, or another worker has the lease', async () => {
  const stopped = await claimed();
  await stopMessages(talk.database, { ...stopped.speaker, at });
  await expect(stopped.log.commit(stopped.row)).rejects.toMatchObject({ reason: 'stopped' });
  const late = await claimed();
  await talk.stores.query('UPDATE inbox SET lease_token = lease_token + 1 WHERE external_id = $1', [
    late.messageId,
  ]);
  await expect(late.log.commit(late.row)).rejects.toMatchObject({ reason: 'lease-lost' });
  expect([...(await stopped.written()), ...(await late.written())]).toEqual([]);
});

it('writes one without words where the private talk that it answers is over', async () => {
  const told = await claimed((speaker) => switchPrivateTalk(talk.database, speaker, true));
  await told.log.commit(told.row);
  const over = await claimed(async (speaker) => {
    await switchPrivateTalk(talk.database, speaker, true);
    await switchPrivateTalk(talk.database, speaker, false);
  });
  await over.log.commit(over.row);
  expect(await told.written()).toEqual([{ sealed: expect.any(String) }]);
  expect(await over.written()).toEqual([{ sealed: null }]);
});

it('keeps the whole name of a tool, as long as providers take one, and no more of one that is made up', async () => {
  const { log, row } = await claimed();
  const names = ['n'.repeat(64), 'm'.repeat(70)];
  const calls = names.map((name) => ({ id: name, name, arguments: {} }));
  const words = { thought: '', text: '', reasoning: [], calls };
  await log.commit(log.row(1, words, row));
  await log.end(1, 0, { name: names[0]! }, { content: '', ok: true, shown: [] });
  const kept = await talk.stores.query('SELECT calls FROM turn_steps WHERE turn_id = $1', [log.turnId]);
  expect(kept).toMatchObject([
    {
      calls: [
        { name: names[0], state: 'ended' },
        { name: 'm'.repeat(64), state: 'planned' },
      ],
    },
  ]);
});

it('leaves behind what tells of another key at the next start', async () => {
  const { log, row } = await claimed();
  await log.commit(row);
  const lacking = async (secret: string) => {
    const parts: string[] = [];
    await noticeOtherKey(talk.database, new ThoughtCipher(secret), {
      enter: ({ part }) => parts.push(part) > 0,
    });
    return parts;
  };
  expect(await lacking('a secret of this suite')).toEqual([]);
  for (const secret of ['another', '']) expect(await lacking(secret)).toEqual(['thoughts-key']);
});
