import { describe, expect, it } from '@jest/globals';
import { snowflakeAt } from '../rest/snowflake-at.js';
import { lastHeardOf, planCatchUp } from './plan-catch-up.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const minutesAgo = (minutes: number) => snowflakeAt(new Date(NOW.getTime() - minutes * 60_000));
const MAX_AGE_MS = 600 * 60_000;
const earliest = minutesAgo(600);
type Channel = Parameters<typeof planCatchUp>[1][number];
const plan = (
  cursors: Parameters<typeof planCatchUp>[0],
  channels: (Omit<Channel, 'madeAt'> & { madeAt?: string })[],
) =>
  planCatchUp(
    cursors,
    channels.map((channel) => ({ madeAt: minutesAgo(1_000_000), ...channel })),
    lastHeardOf(cursors),
    NOW,
    MAX_AGE_MS,
  );

describe('catching up', () => {
  it('reads a known DM from where it was heard, and nothing that is too old', () => {
    const cursor = { channelId: 'dm', isDirect: true, lastMessageId: minutesAgo(5) };
    expect(plan([cursor], [])).toEqual([{ channelId: 'dm', isDirect: true, after: minutesAgo(5), earliest }]);
  });

  it('reads a channel only when something newer is in it', () => {
    const cursor = { channelId: 'c', isDirect: false, lastMessageId: minutesAgo(5) };
    expect(plan([cursor], [{ id: 'c', lastMessageId: minutesAgo(5), canRead: true }])).toEqual([]);
    expect(plan([cursor], [{ id: 'c', lastMessageId: null, canRead: true }])).toEqual([]);
    expect(plan([cursor], [{ id: 'c', lastMessageId: minutesAgo(1), canRead: true }])).toEqual([
      { channelId: 'c', isDirect: false, after: minutesAgo(5), earliest },
    ]);
  });

  it('reads a place that was heard and is not announced, such as a thread that was archived', () => {
    const cursor = { channelId: 'thread', isDirect: false, lastMessageId: minutesAgo(90) };
    expect(plan([cursor], [])).toEqual([
      { channelId: 'thread', isDirect: false, after: minutesAgo(90), earliest },
    ]);
  });

  it('reads of places that are not announced the latest thousand, and every channel that is', () => {
    const cursors = Array.from({ length: 1_100 }, (_, n) => ({
      channelId: `thread ${n}`,
      isDirect: false,
      lastMessageId: minutesAgo(5 + n),
    }));
    const channel = { channelId: 'c', isDirect: false, lastMessageId: minutesAgo(5_000) };
    const planned = plan([...cursors, channel], [{ id: 'c', lastMessageId: minutesAgo(1), canRead: true }]);
    expect(planned.map(({ channelId }) => channelId)).toEqual([
      ...cursors.slice(0, 1_000).map(({ channelId }) => channelId),
      'c',
    ]);
  });

  it('reads the last half hour of a channel that was never heard', () => {
    expect(plan([], [{ id: 'new', lastMessageId: minutesAgo(2), canRead: true }])).toEqual([
      { channelId: 'new', isDirect: false, after: minutesAgo(30), earliest },
    ]);
    expect(plan([], [{ id: 'old', lastMessageId: minutesAgo(45), canRead: true }])).toEqual([]);
    expect(plan([], [{ id: 'private', lastMessageId: minutesAgo(2), canRead: false }])).toEqual([]);
    expect(plan([], [{ id: 'empty', lastMessageId: null, canRead: true }])).toEqual([]);
  });

  it('reads all that was said in a thread or channel that was made since anything was heard', () => {
    const cursors = [900, 300, 600].map((minutes) => ({
      channelId: `c${minutes}`,
      isDirect: false,
      lastMessageId: minutesAgo(minutes),
    }));
    const made = (minutes: number) => ({
      id: `made ${minutes}`,
      madeAt: minutesAgo(minutes),
      lastMessageId: minutesAgo(200),
      canRead: true,
    });
    const news = plan(cursors, [made(299), made(301)]).filter(({ channelId }) =>
      channelId.startsWith('made'),
    );
    expect(news).toEqual([
      // What is older than `earliest` would be told of as skipped.
      { channelId: 'made 299', isDirect: false, after: minutesAgo(300), earliest },
    ]);
    expect(plan([], [made(299)])).toEqual([]);
    expect(
      plan(cursors.slice(0, 1), [{ ...made(299), canRead: false }]).map(({ channelId }) => channelId),
    ).toEqual(['c900']);
  });
});
