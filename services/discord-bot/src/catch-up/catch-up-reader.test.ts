import { expect, it } from '@jest/globals';
import { eventually } from '@kith/testing';
import { RESTJSONErrorCodes } from 'discord-api-types/v10';
import { Collection, type Client } from 'discord.js';
import { pino } from 'pino';
import type { InboundContent } from '../events/read-event.js';
import { CatchUpReader } from './catch-up-reader.js';

type Parts = ConstructorParameters<typeof CatchUpReader>[0];

const { MissingAccess, UnknownChannel } = RESTJSONErrorCodes;
const PLACE = '600';
const HERE = { '7': true };

/** Reads up a place that Discord answers with this code. Returns what is known of it then, and what becomes of its cursor. */
async function readRefused(
  code: number,
  servers: Record<string, boolean>,
  { isDirect = false, isAnnounced = false, serverOf = async (): Promise<string | null> => '7' } = {},
) {
  const dropped: string[] = [];
  const cursor = { channelId: PLACE, isDirect, personId: null, lastMessageId: '1' };
  let missed: InboundContent[] | null | undefined;
  const parts = {
    cursors: { read: async () => [cursor], drop: async (ids: string[]) => void dropped.push(...ids) },
    intake: {
      takeFirst: (_: unknown, read: (isAwaited: () => boolean) => Promise<InboundContent[] | null>) =>
        void read(() => false).then((heard) => (missed = heard)),
      moveCursors: () => undefined,
      release: () => undefined,
    },
    servers: { serverOf, hear: async () => undefined },
    skippedMessages: { note: () => undefined, clear: () => undefined },
    slots: { run: (read: () => unknown) => read() },
    limits: { maxAgeMs: 60_000, maxMessages: 10 },
    pace: { waitMs: 1, againMs: 60_000 },
    logger: pino({ level: 'silent' }),
  };
  const channels = isAnnounced ? [{ id: PLACE, guildId: '7' }] : [];
  const refuse = () => Promise.reject(Object.assign(new Error('refused'), { code, status: 403 }));
  const client = {
    guilds: { cache: byId(Object.entries(servers).map(([id, available]) => ({ id, available }))) },
    channels: {
      cache: byId(channels.map((one) => ({ ...one, isThread: () => false, isTextBased: () => false }))),
    },
    rest: { get: refuse },
  };
  const reader = new CatchUpReader(parts as unknown as Parts);
  await reader.begin(client as unknown as Client, () => true);
  await eventually('the end of the read', () => missed !== undefined);
  return { missed, dropped };
}

const byId = <Item extends { id: string }>(items: Item[]) =>
  new Collection(items.map((item) => [item.id, item]));

it.each<[string, ...Parameters<typeof readRefused>]>([
  [
    'is hidden while one of the servers is out of reach, perhaps its own',
    MissingAccess,
    { '7': true, '8': false },
  ],
  ['is a DM', MissingAccess, HERE, { isDirect: true }],
  ['is announced, without its talk', MissingAccess, HERE, { isAnnounced: true }],
  [
    'is gone, and nobody can tell its server now',
    UnknownChannel,
    HERE,
    { serverOf: () => Promise.reject(new Error('away')) },
  ],
  ['is gone, and its server is out of reach', UnknownChannel, { '7': false }],
])('keeps the cursor of a place that %s', async (_, ...refusal) => {
  expect(await readRefused(...refusal)).toEqual({ missed: null, dropped: [] });
});

it('forgets a place that is hidden from the bot, and one that is gone from a server that it was removed from', async () => {
  const isForgotten = { missed: [], dropped: [PLACE] };
  expect(await readRefused(MissingAccess, HERE)).toEqual(isForgotten);
  expect(await readRefused(UnknownChannel, { '8': true })).toEqual(isForgotten);
});

it('has the talk of a place deleted that is gone from a server', async () => {
  const missed = [{ kind: 'place-deleted', serverId: '7' }];
  expect(await readRefused(UnknownChannel, HERE)).toEqual({ missed, dropped: [] });
});
