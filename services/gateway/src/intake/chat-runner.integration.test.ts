import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { answered, withTalk } from '../e2e/talk.js';
import { commitTurn } from '../outcome/commit-turn.js';
import { ChatRunner } from './chat-runner.js';

const talk = withTalk();

it('names a message that is sent again in the outcome it had, also where no transcript has it', async () => {
  const where = await talk.place();
  const messageId = randomUUID();
  const { inboxId } = await talk.accept(where, messageId);
  const turn = { ...answered(), outcome: 'apologised' as const, reason: 'poison' as const, reply: 'sorry' };
  await commitTurn(talk.database, { ...(await talk.claim(where)), poison: true }, turn, false);
  const chat = new ChatRunner({
    database: talk.database,
    replyTimeoutMs: 60_000,
    companions: { require: async () => 'mira' },
    conversations: { idOf: async () => where.conversationId },
    inbox: { accept: async () => ({ inboxId, duplicate: true }) },
    events: { subscribe: () => () => undefined },
    keys: { watch: () => () => undefined },
  } as never);
  const caller = { keyId: 'k', personId: where.personId, scopes: ['chat'], expiresAt: null };
  const events: unknown[] = [];
  const input = { message: 'hello', conversation: 'main', messageId };
  for await (const event of chat.run(caller as never, 'websocket', input)) events.push(event);
  expect(events).toMatchObject([
    { type: 'accepted', messageId },
    { type: 'done', turn: { reply: 'sorry', messageIds: [messageId] } },
  ]);
});
