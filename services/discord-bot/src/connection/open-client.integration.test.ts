import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DiscordDouble, eventually } from '@kith/testing';
import type { Client, Message } from 'discord.js';
import { pino } from 'pino';
import { reachIn } from '../places/reach.js';
import { discordJs } from '../rest/discord-js.js';
import { openClient } from './open-client.js';

/** The library tries again half a second after a connection broke. */
const PAST_NEXT_TRY_MS = 1_200;

let discord: DiscordDouble;
/** Server in the place of Discord's gateway. */
let server: Server;
let client: Client;
let connections: number;

beforeEach(async () => {
  discord = await DiscordDouble.start();
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    socket.on('error', () => undefined);
  });
  discord.announceGatewayAt((server.address() as AddressInfo).port);
  client = openClient(await discordJs(), { api: discord.api }, pino({ level: 'silent' }));
});
afterEach(async () => {
  server.close();
  await discord.stop();
});

const login = () => void client.login(discord.token).catch(() => undefined);

it('hangs up on a gateway that has not answered yet, and never tries it again', async () => {
  const connected = once(server, 'connection');
  login();
  const [socket] = (await connected) as [Socket];
  const closed = once(socket, 'close');
  socket.resume();
  await client.destroy();
  await closed;
  await sleep(PAST_NEXT_TRY_MS);
  expect(connections).toBe(1);
});

it('tries a gateway that refuses no more once it is told to hang up', async () => {
  server.on('connection', (socket) => socket.destroy());
  login();
  await eventually('the second try', () => connections >= 2);
  await client.destroy();
  // One that was on its way may arrive still.
  await sleep(100);
  const tried = connections;
  await sleep(PAST_NEXT_TRY_MS);
  expect(connections).toBe(tried);
});

it('connects nowhere when it is told to hang up while it asks where to', async () => {
  const library = await discordJs();
  let answer = () => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  let isAsked = false;
  const rest: Parameters<typeof openClient>[1] = {
    api: discord.api,
    makeRequest: async (url, init) => {
      isAsked = true;
      await answered;
      return library.DefaultRestOptions.makeRequest(url, init);
    },
  };
  const slow = openClient(library, rest, pino({ level: 'silent' }));
  const login = slow.login(discord.token);
  await eventually('the question', () => isAsked);
  await slow.destroy();
  answer();
  await expect(login).rejects.toThrow('hung up');
  expect(connections).toBe(0);
});

it('keeps its servers with their channels, threads and roles, and of people nobody but the bot', async () => {
  const world = await DiscordDouble.start();
  const library = await discordJs();
  const connected = openClient(library, { api: world.api }, pino({ level: 'silent' }));
  const home = world.guild('Home');
  const general = world.channel(home, 'general');
  try {
    await connected.login(world.token);
    await eventually('the server', () => connected.guilds.cache.get(home.id)?.available);
    const heard: Message[] = [];
    connected.on(library.Events.MessageCreate, (message) => heard.push(message));
    const thread = world.thread(general, 'plans');
    for (let count = 0; count < 30; count += 1) {
      const user = world.user(`Person ${count}`);
      for (const where of [general, thread]) world.say(user, `<@${world.bot.id}> hello`, where);
      world.dm(user, 'hello');
    }
    await eventually('what was said in the server', () => heard.length === 60);
    expect(heard[0]).toMatchObject({ author: { username: 'person_0' }, content: expect.any(String) });
    const { channels, guilds, users } = connected;
    const guild = guilds.cache.get(home.id)!;
    expect([...channels.cache.keys()].toSorted()).toEqual([general.id, thread.id].toSorted());
    expect([...guild.roles.cache.keys()]).toContain(home.botRoleId);
    expect([...users.cache.keys()]).toEqual([world.bot.id]);
    expect([...guild.members.cache.keys()]).toEqual([world.bot.id]);
    expect(reachIn(connected, thread.id)).toMatchObject({ canSend: true, canReadHistory: true });
    const kept = channels.cache.map((channel) => (channel.isTextBased() ? channel.messages.cache.size : 0));
    expect(kept).toEqual([0, 0]);
  } finally {
    await connected.destroy();
    await world.stop();
  }
});
