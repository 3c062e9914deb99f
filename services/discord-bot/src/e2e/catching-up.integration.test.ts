import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { discordContract } from '@kith/contracts';
import {
  DiscordDouble,
  eventually,
  freshStores,
  type DiscordChannel,
  type DiscordUser,
  type FreshStores,
} from '@kith/testing';
import { runBot, runSuite, spawnBot, type RunningService } from './run-bot.js';
import { SuiteState } from './suite-double.js';

let stores: FreshStores;
let discord: DiscordDouble;
let general: DiscordChannel;
let suite: RunningService;
let state: SuiteState;
const bots: RunningService[] = [];
let environment: Record<string, string>;

beforeAll(async () => {
  stores = await freshStores();
});
beforeEach(async () => {
  discord = await DiscordDouble.start({ heartbeatIntervalMs: 500 });
  environment = { DISCORD_TOKEN: discord.token, DISCORD_API_BASE: discord.api };
  general = discord.channel(discord.guild('Home'), 'general');
  state = new SuiteState();
  suite = await runSuite(stores.redisUrl, state);
});
afterEach(async () => {
  for (const bot of bots.splice(0)) await bot.stop();
  await suite.stop();
  await discord.stop();
  await stores.query('TRUNCATE discord_cursors, discord_leaders');
});
afterAll(() => stores.stop());

async function startBot(): Promise<RunningService> {
  const bot = await runBot(stores, environment);
  bots.push(bot);
  return bot;
}

async function connectedBot(): Promise<RunningService> {
  const bot = await startBot();
  await discord.waitForReady();
  return bot;
}

async function stopBot(bot: RunningService): Promise<void> {
  bots.splice(bots.indexOf(bot), 1);
  await bot.stop();
}

/** The bot ends while the gateway does not take what this one says. Returns the message. */
async function leaveUnheard(bot: RunningService, user: DiscordUser): Promise<string> {
  state.gatewayDown = true;
  const { id } = discord.dm(user, 'is this heard?');
  await eventually('a try', () => state.turnedAway.includes(id));
  await stopBot(bot);
  state.gatewayDown = false;
  expect(received()).not.toContain(id);
  return id;
}

const received = () => state.received.map(({ messageId }) => messageId);
const heard = (id: string) => eventually(`message ${id}`, () => received().includes(id));

describe('what was said while no bot was there', () => {
  it('is read up at its start, in order, in DMs that are known and in channels', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    const known = discord.dm(ann, 'hello');
    await heard(known.id);
    await stopBot(first);
    const missed = [
      discord.dm(ann, 'are you there?'),
      discord.dm(ann, 'hm'),
      discord.say(ann, 'anybody?', general, { mentions: [discord.bot] }),
    ];
    discord.say(ann, 'not for the bot', general);
    await connectedBot();
    const live = discord.dm(ann, 'ah, there');
    await heard(live.id);
    await heard(missed[2]!.id);
    const inDm = [known.id, missed[0]!.id, missed[1]!.id, live.id];
    expect(received().filter((id) => inDm.includes(id))).toEqual(inDm);
    expect(received()).toHaveLength(5);
  });

  it('is read up after Discord ended the session', async () => {
    const ann = discord.user('Ann');
    await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    discord.gateway.forgetSessions(); // what is said now reaches no session
    const missed = discord.dm(ann, 'lost?');
    discord.gateway.pullCable();
    await heard(missed.id);
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  it('is read up later when the gateway was away, and the cursor waits for it', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    const stuck = await leaveUnheard(first, ann);
    await startBot();
    await heard(stuck);
  });
});

describe('the session with Discord', () => {
  it.each(['SIGTERM', 'SIGKILL'] as const)(
    'is resumed by the next process after %s: it hears the first DM of somebody new, and what was changed',
    async (signal) => {
      const { gateway } = discord;
      const ann = discord.user('Ann');
      const first = await spawnBot(stores, environment);
      await discord.waitForReady(20_000);
      const early = discord.dm(ann, 'hello');
      await heard(early.id);
      await first.end(signal);
      await eventually('nobody listening', () => gateway.connected === 0);
      discord.edit(early, 'hello!');
      const news = ['is anybody there?', 'I am new'].map((text) => discord.dm(discord.user('Bea'), text));
      const mention = discord.say(ann, 'and here?', general, { mentions: [discord.bot] });
      await startBot();
      for (const { id } of [...news, mention]) await heard(id);
      await eventually('the edit', () => state.revised.some(({ messageId }) => messageId === early.id));
      await eventually('the new session', () => gateway.identifies.length === 2);
      expect(gateway.resumes).toHaveLength(1);
      expect(gateway.closes).not.toContain(1000);
      await eventually('the old session to be left', () => gateway.connected === 1);
      expect(new Set(received()).size).toBe(4);
    },
  );

  it('is not resumed when Discord refuses: what is known is read up', async () => {
    const ann = discord.user('Ann');
    const first = await connectedBot();
    await heard(discord.dm(ann, 'hello').id);
    await stopBot(first);
    discord.gateway.forgetSessions();
    const missed = discord.dm(ann, 'are you there?');
    await startBot();
    await heard(missed.id);
    expect(discord.gateway.resumes).toHaveLength(1);
    expect(discord.gateway.identifies).toHaveLength(2);
  });

  it('is resumed before what the gateway service has not accepted', async () => {
    const first = await connectedBot();
    const stuck = await leaveUnheard(first, discord.user('Bea'));
    await startBot();
    await heard(stuck);
  });
});

describe('a connection without answers to its heartbeats', () => {
  it('is left, and resumed without a new session', async () => {
    await startBot();
    await discord.waitForReady();
    discord.gateway.acknowledge(false);
    await eventually('the zombie to be left', () => discord.gateway.closes.length > 0, 10_000);
    discord.gateway.acknowledge(true);
    await eventually('a resume', () => discord.gateway.resumes.length > 0, 10_000);
    expect(discord.gateway.closes).not.toContain(1000);
    expect(discord.gateway.identifies).toHaveLength(1);
  });
});

describe('two bot processes', () => {
  it('do not both connect; the other one takes over when the first leaves', async () => {
    const first = await startBot();
    await discord.waitForReady();
    const second = await startBot();
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(discord.gateway.connected).toBe(1);
    expect(discord.gateway.identifies).toHaveLength(1);
    await stopBot(first);
    await eventually('the other one', () => discord.gateway.identifies.length === 2, 10_000);
    expect(await second.messenger.ask(discordContract.status, {})).toMatchObject({ state: 'ready' });
  });

  it('a holder that died is replaced when its time is over', async () => {
    await stores.query(
      `INSERT INTO discord_leaders (shard, holder, held_until) VALUES (0, $1, now() + interval '3 seconds')`,
      [randomUUID()],
    );
    const bot = await startBot();
    expect(await bot.messenger.ask(discordContract.status, {})).toMatchObject({ state: 'standby' });
    await eventually('its turn', () => discord.gateway.identifies.length === 1, 10_000);
  });
});

describe('an edit and a deletion', () => {
  it('are told to the gateway, after the message itself', async () => {
    const ann = discord.user('Ann');
    await startBot();
    await discord.waitForReady();
    const message = discord.dm(ann, 'I like rain');
    discord.edit(message, 'I like sun');
    await eventually('the edit', () => state.revised.length === 1);
    expect(received()).toContain(message.id);
    discord.remove(message);
    await eventually('the deletion', () => state.revised.length === 2);
    const told = { door: 'discord', messageId: message.id };
    expect(state.revised).toEqual([
      { ...told, text: 'I like sun' },
      { ...told, text: null },
    ]);
  });
});
