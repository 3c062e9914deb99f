import { expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import type { TurnEvent } from '../signals/turn-events.js';
import { ChatRunner } from './chat-runner.js';

/** A runner whose message is accepted already, and looked up so. */
function chatOver(lookUp: () => Promise<unknown>) {
  let tell: (event: TurnEvent) => void = () => undefined;
  const watchers: ((ended: string[]) => void)[] = [];
  const chat = new ChatRunner({
    database: { reader: () => ({ $queryRaw: lookUp }) },
    replyTimeoutMs: 60_000,
    companions: { require: async () => 'mira' },
    conversations: { idOf: async () => 'c' },
    inbox: { accept: async () => ({ inboxId: '1', duplicate: false }) },
    events: { subscribe: (_: string, listener: typeof tell) => ((tell = listener), () => undefined) },
    keys: { watch: (watcher: (typeof watchers)[0]) => (watchers.push(watcher), () => undefined) },
  } as never);
  const caller = { keyId: 'k', personId: 'ann', scopes: ['chat'], expiresAt: null as Date | null };
  return {
    caller,
    watchers,
    run: () => chat.run(caller as never, 'http', { message: 'hello', conversation: 'main' }),
    tell: (event: object) => tell({ inboxIds: ['1'], event } as never),
  };
}

it.each([
  ['the caller’s key was revoked', 'k', 'unauthorized'],
  ['the caller was erased', 'ann', 'not_found'],
  ['the caller’s key has expired', null, 'unauthorized'],
])('tells nothing more of a turn, and ends where nothing comes, once %s', async (_, ended, code) => {
  const { caller, watchers, run, tell } = chatOver(async () => [{ turnId: null, outcome: null }]);
  const told = run();
  const silent = run();
  await silent.next();
  const say = (text: string) => tell({ type: 'token', turnId: 't', text });
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

it('takes back what a try of a turn has told that died without a word', async () => {
  const { run, tell } = chatOver(async () => [{ turnId: null, outcome: null }]);
  const told = run();
  await told.next();
  const types = ['turn', 'token', 'token', 'turn', 'token', 'restart', 'turn', 'turn', 'done'];
  for (const type of types) tell({ type, turnId: 't' });
  const heard = [];
  for await (const { type } of told) heard.push(type);
  expect(heard).toEqual([...types.slice(0, 3), 'restart', ...types.slice(3)]);
});

it.each([
  ['goes on while Postgres is away, as the turn does', 'unavailable'],
  ['ends where it can’t be looked up for another reason', 'internal'],
] as const)('waiting for a turn %s', async (_, code) => {
  const { run, tell } = chatOver(async () => {
    setImmediate(() => tell({ type: 'done' }));
    throw new AppError(code, 'not now');
  });
  const told = run();
  await told.next();
  const end = told.next();
  if (code === 'internal') await expect(end).rejects.toMatchObject({ code });
  else expect(await end).toMatchObject({ value: { type: 'done' } });
});
