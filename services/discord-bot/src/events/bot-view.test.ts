import { expect, it } from '@jest/globals';
import { PermissionFlagsBits } from 'discord-api-types/v10';
import { Client } from 'discord.js';
import { botViewOf } from './bot-view.js';

const SERVER = '100';
const MEMBERS = '150';
const MODS = '160';
const UNVERIFIED = '170';
/** The role of another app, which no person has. */
const APP = '180';
const VIEW = String(PermissionFlagsBits.ViewChannel);
const PUBLIC_THREAD = 11;
const PRIVATE_THREAD = 12;

const hiddenFrom = (id: string) => ({ id, type: 0, allow: '0', deny: VIEW });
const shownTo = (id: string, type = 0) => ({ id, type, allow: VIEW, deny: '0' });
const channel = (id: string, overwrites: object[] = []) => ({
  id,
  type: 0,
  guild_id: SERVER,
  name: `name-${id}`,
  position: 0,
  permission_overwrites: overwrites,
});
const thread = (id: string, type: number, parent: string) => ({
  id,
  type,
  guild_id: SERVER,
  name: `name-${id}`,
  parent_id: parent,
});

/** Names of channels in a server with a hall that all see, two that members see, one for moderators, and a ticket. */
function names() {
  const client = new Client({ intents: [] });
  const membersAlone = [hiddenFrom(SERVER), shownTo(MEMBERS), shownTo(MODS)];
  // The library adds a server like this when it hears of one.
  const guilds = client.guilds as unknown as { _add(guild: object): void };
  guilds._add({
    id: SERVER,
    name: 'Server',
    unavailable: false,
    roles: [
      { id: SERVER, name: '@everyone', permissions: VIEW },
      { id: MEMBERS, name: 'Members', permissions: '0' },
      { id: MODS, name: 'Mods', permissions: '0' },
      { id: UNVERIFIED, name: 'Unverified', permissions: '0' },
      { id: APP, name: 'App', permissions: '0', tags: { bot_id: '9' } },
    ],
    channels: [
      channel('hall'),
      channel('lounge', [...membersAlone, shownTo(APP)]),
      channel('garden', membersAlone),
      channel('news', [hiddenFrom(UNVERIFIED)]),
      channel('mods', [hiddenFrom(SERVER), shownTo(MODS)]),
      channel('ticket', [hiddenFrom(SERVER), shownTo(MODS), shownTo('7', 1)]),
    ],
    threads: [
      thread('hall-thread', PUBLIC_THREAD, 'hall'),
      thread('mods-thread', PUBLIC_THREAD, 'mods'),
      thread('hall-private', PRIVATE_THREAD, 'hall'),
    ],
  });
  const view = botViewOf(client);
  return (toldIn: string, id: string) => view.names.channel(SERVER, toldIn, id);
}

it('names a channel that everybody sees, wherever it is told, and each one where it is itself', () => {
  const nameIn = names();
  expect(nameIn('mods', 'hall')).toBe('name-hall');
  expect(nameIn('unknown', 'hall-thread')).toBe('name-hall-thread');
  expect(nameIn('hall-private', 'hall-private')).toBe('name-hall-private');
  expect(nameIn('mods-thread', 'mods-thread')).toBe('name-mods-thread');
});

it('names a hidden channel where each role that is there sees it, too', () => {
  const nameIn = names();
  expect(nameIn('lounge', 'garden')).toBe('name-garden');
  expect(nameIn('mods', 'garden')).toBe('name-garden');
  expect(nameIn('mods', 'mods-thread')).toBe('name-mods-thread');
});

it('keeps the name of a hidden channel from those who know its id alone', () => {
  const nameIn = names();
  for (const hidden of ['garden', 'mods', 'mods-thread', 'hall-private', 'news'])
    expect(nameIn('hall', hidden)).toBeUndefined();
  expect(nameIn('lounge', 'mods-thread')).toBeUndefined();
  expect(nameIn('mods', 'hall-private')).toBeUndefined();
  expect(nameIn('unknown', 'garden')).toBeUndefined();
});

it('keeps it where somebody was let in by name', () => {
  expect(names()('ticket', 'mods')).toBeUndefined();
});
