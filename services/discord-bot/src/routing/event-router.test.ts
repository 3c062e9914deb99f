import { EventEmitter } from 'node:events';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { Client, GatewayDispatchPayload } from 'discord.js';
import { pino } from 'pino';
import type { CatchUpReader } from '../catch-up/catch-up-reader.js';
import type { ListedServers } from '../catch-up/plan-servers.js';
import type { Servers } from '../catch-up/servers.js';
import type { CommandDesk } from '../commands/desk/command-desk.js';
import type { DiscordLibrary } from '../connection/open-client.js';
import type { BotView } from '../events/read-event.js';
import type { MessageIntake } from '../intake/message-intake.js';
import { EventRouter } from './event-router.js';

/** Names by which the router listens: the library itself takes a second to load. */
const Events = Object.fromEntries(
  ['ClientReady', 'GuildCreate', 'GuildAvailable', 'ChannelUpdate', 'GuildRoleUpdate', 'GuildMemberUpdate']
    .concat('InteractionCreate')
    .map((name) => [name, name]),
) as unknown as DiscordLibrary['Events'];
const SERVER = '10';
const CHANNELS = new Map(['30', '31'].map((id) => [id, {}]));
const server = { id: SERVER, channels: { cache: CHANNELS } };
const view = {
  botId: '100',
  reach: () => null,
  threadOf: (id: string) => (id === '31' ? '30' : null),
  names: { role: () => undefined, channel: () => undefined, ownRole: () => undefined },
} as BotView;

/** Calls of all parts, in order. */
let told: unknown[][];
/** Answers of the intake to the next messages. */
let taken: boolean[];
let router: EventRouter;
let client: Client & EventEmitter;
let ws: EventEmitter;

/** A part that notes what it is told. */
const part = <Part>(...names: (keyof Part & string)[]) =>
  Object.fromEntries(
    names.map((name) => [name, (...given: unknown[]) => void told.push([name, ...given])]),
  ) as Part;

beforeEach(() => {
  told = [];
  taken = [];
  const intake = part<MessageIntake>('hold', 'keepCursors');
  intake.take = async (...given) => {
    told.push(['take', ...given]);
    return taken.shift() ?? true;
  };
  router = new EventRouter(
    intake,
    part<CatchUpReader>('begin', 'stop', 'accessChanged', 'serverCame', 'serverWent'),
    part<Servers>('leave', 'join', 'available', 'hear', 'compare'),
    part<CommandDesk>('take'),
    pino({ level: 'silent' }),
  );
  ws = new EventEmitter();
  const guilds = { cache: new Map([[SERVER, { ...server, available: true }]]) };
  client = Object.assign(new EventEmitter(), { ws, guilds, user: { id: '100' } }) as never;
  router.onClient(client, Events);
});
afterEach(() => router.stop());

const message = (over: object) =>
  ({
    op: 0,
    s: 1,
    t: 'MESSAGE_CREATE',
    d: {
      id: '900',
      channel_id: '31',
      guild_id: SERVER,
      author: { id: '200', username: 'alice' },
      content: 'hello',
      timestamp: '2026-03-01T12:00:00.000Z',
      edited_timestamp: null,
      mentions: [],
      type: 0,
      ...over,
    },
  }) as unknown as GatewayDispatchPayload;

describe('a server', () => {
  it('is left once the bot is removed, with the channels that it had, and not while it is out of reach', () => {
    ws.emit('GUILD_DELETE', { id: SERVER, unavailable: true });
    expect(told).toEqual([['serverWent', SERVER]]);
    told = [];
    ws.emit('GUILD_DELETE', { id: SERVER });
    ws.emit('GUILD_DELETE', { id: 'unknown' });
    expect(told).toEqual([
      ['leave', SERVER, ['30', '31']],
      ['leave', 'unknown', []],
    ]);
  });

  it('that adds the bot, or is back, is told with its channels; one that is back is caught up with', () => {
    client.emit(Events.GuildCreate, server as never);
    client.emit(Events.GuildAvailable, server as never);
    expect(told).toEqual([
      ['join', SERVER, ['30', '31']],
      ['serverCame', client, SERVER],
      ['available', SERVER, ['30', '31']],
    ]);
  });

  it('is read again where the bot may see more: by its channels, its roles, and the bot’s own membership', () => {
    const inServer = { isDMBased: () => false, guildId: SERVER };
    client.emit(Events.ChannelUpdate, {} as never, inServer as never);
    client.emit(Events.GuildRoleUpdate, {} as never, { guild: { id: 'by a role' } } as never);
    const member = (id: string) => ({ id, guild: { id: 'by membership' } }) as never;
    client.emit(Events.GuildMemberUpdate, {} as never, member('100'));
    client.emit(Events.GuildMemberUpdate, {} as never, member('somebody else'));
    client.emit(Events.ChannelUpdate, {} as never, { isDMBased: () => true } as never);
    expect(told).toEqual([SERVER, 'by a role', 'by membership'].map((id) => ['accessChanged', client, id]));
  });
});

describe('a message', () => {
  it('counts as heard only once the gateway has it', async () => {
    taken = [true, false];
    expect(await router.onEvent(message({}), view)).toBe(true);
    expect(await router.onEvent(message({}), view)).toBe(false);
    expect(told.filter(([what]) => what === 'take')).toHaveLength(2);
  });

  it('of a server notes where it was heard, a thread with its channel, also by an edit; one of a DM does not', async () => {
    await router.onEvent(message({}), view);
    await router.onEvent(message({ channel_id: '30' }), view);
    await router.onEvent(message({ guild_id: undefined }), view);
    const edited = {
      ...message({ channel_id: '32' }),
      t: 'MESSAGE_UPDATE',
    } as unknown as GatewayDispatchPayload;
    await router.onEvent(edited, view);
    expect(told.filter(([what]) => what === 'hear')).toEqual([
      ['hear', SERVER, '31', '30'],
      ['hear', SERVER, '30', null],
      ['hear', SERVER, '32', null],
    ]);
  });

  it('waits for what was missed where a session begins anew, and keeps every cursor where one is resumed', () => {
    router.onSessionBegins();
    router.onResume();
    expect(told).toEqual([['hold'], ['keepCursors']]);
  });
});

it('catches up for the newest session alone, and compares its servers until it stops', () => {
  const listed = [] as unknown as ListedServers;
  router.onSessionBegins();
  router.onSession(client, listed);
  const [, begun, compared] = told;
  const isNewest = begun?.[2] as () => boolean;
  expect(begun).toEqual(['begin', client, isNewest]);
  expect(isNewest()).toBe(true);
  router.onSessionBegins();
  expect(isNewest()).toBe(false);

  const [, , channelsOf, signal] = compared as [string, unknown, (id: string) => string[], AbortSignal];
  expect([channelsOf(SERVER), channelsOf('unknown')]).toEqual([['30', '31'], null]);
  expect(signal.aborted).toBe(false);
  router.stop();
  expect(signal.aborted).toBe(true);
  expect(told.at(-1)).toEqual(['stop']);
});

it('brings an interaction to the desk, and registers the commands once Discord knows the bot', () => {
  const interaction = { id: '1' };
  client.emit(Events.InteractionCreate, interaction as never);
  expect(told).toEqual([['take', interaction]]);
  const set = jest.fn(() => Promise.resolve());
  client.emit(Events.ClientReady, { application: { commands: { set } } } as never);
  expect(set).toHaveBeenCalledTimes(1);
});
