import { expect, it } from '@jest/globals';
import type { TurnEvent } from '../signals/turn-events.js';
import { ChatRunner } from './chat-runner.js';

it.each([
  ['the caller’s key was revoked', 'k', 'unauthorized'],
  ['the caller was erased', 'ann', 'not_found'],
  ['the caller’s key has expired', null, 'unauthorized'],
])('tells nothing more of a turn, and ends where nothing comes, once %s', async (_, ended, code) => {
  let tell: (event: TurnEvent) => void = () => undefined;
  const watchers: ((ended: string[]) => void)[] = [];
  const chat = new ChatRunner({
    database: { reader: () => ({ $queryRaw: async () => [{ turnId: null, outcome: null }] }) },
    replyTimeoutMs: 60_000,
    companions: { require: async () => 'mira' },
    conversations: { idOf: async () => 'c' },
    inbox: { accept: async () => ({ inboxId: '1', duplicate: false }) },
    events: { subscribe: (_: string, listener: typeof tell) => ((tell = listener), () => undefined) },
    keys: { watch: (watcher: (typeof watchers)[0]) => (watchers.push(watcher), () => undefined) },
  } as never);
  const caller = { keyId: 'k', personId: 'ann', scopes: ['chat'], expiresAt: null as Date | null };
  const input = { message: 'hello', conversation: 'main' };
  const told = chat.run(caller as never, 'http', input);
  const silent = chat.run(caller as never, 'http', input);
  await silent.next();
  const say = (text: string) =>
    tell({ inboxIds: ['1'], event: { type: 'token', turnId: 't', text } } as never);
  expect(await told.next()).toMatchObject({ value: { type: 'accepted' } });
  say('You');
  for (const revoke of watchers) revoke(['another']);
  expect(await told.next()).toMatchObject({ value: { text: 'You' } });
  if (ended === null) caller.expiresAt = new Date();
  else for (const revoke of watchers) revoke([ended]);
  await expect(silent.next()).rejects.toMatchObject({ code });
  say(' live');
  await expect(told.next()).rejects.toMatchObject({ code });
});
