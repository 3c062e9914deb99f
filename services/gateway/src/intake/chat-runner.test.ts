import { expect, it } from '@jest/globals';
import type { TurnEvent } from '../signals/turn-events.js';
import { ChatRunner } from './chat-runner.js';

it.each([
  ['the caller’s key was revoked', 'k', 'unauthorized'],
  ['the caller was erased', 'ann', 'not_found'],
])('tells nothing more of a turn once %s', async (_, ended, code) => {
  let tell: (event: TurnEvent) => void = () => undefined;
  let revoke: (ended: string[]) => void = () => undefined;
  const chat = new ChatRunner({
    database: {},
    replyTimeoutMs: 5_000,
    companions: { require: async () => 'mira' },
    conversations: { idOf: async () => 'c' },
    inbox: { accept: async () => ({ inboxId: '1', duplicate: false }) },
    events: { subscribe: (_: string, listener: typeof tell) => ((tell = listener), () => undefined) },
    keys: { watch: (watcher: typeof revoke) => ((revoke = watcher), () => undefined) },
  } as never);
  const caller = { keyId: 'k', personId: 'ann', scopes: ['chat'] };
  const input = { message: 'hello', conversation: 'main' };
  const told = chat.run(caller as never, 'http', input);
  const say = (text: string) =>
    tell({ inboxIds: ['1'], event: { type: 'token', turnId: 't', text } } as never);
  expect(await told.next()).toMatchObject({ value: { type: 'accepted' } });
  say('You');
  revoke(['another']);
  expect(await told.next()).toMatchObject({ value: { text: 'You' } });
  revoke([ended]);
  say(' live');
  await expect(told.next()).rejects.toMatchObject({ code });
});
