import { describe, expect, it } from '@jest/globals';
import { planCatchUp, snowflakeAt } from './plan-catch-up.js';

const NOW = new Date('2026-05-01T12:00:00Z');
const minutesAgo = (minutes: number) => snowflakeAt(new Date(NOW.getTime() - minutes * 60_000));

describe('catching up', () => {
  it('reads a known DM from where it was heard', () => {
    const cursor = { channelId: 'dm', isDirect: true, lastMessageId: minutesAgo(5) };
    expect(planCatchUp([cursor], [], NOW)).toEqual([
      { channelId: 'dm', isDirect: true, after: minutesAgo(5) },
    ]);
  });

  it('reads nothing older than half an hour', () => {
    const cursor = { channelId: 'dm', isDirect: true, lastMessageId: minutesAgo(600) };
    expect(planCatchUp([cursor], [], NOW)[0]?.after).toBe(minutesAgo(30));
  });

  it('reads a channel only when something newer is in it', () => {
    const cursor = { channelId: 'c', isDirect: false, lastMessageId: minutesAgo(5) };
    expect(planCatchUp([cursor], [{ id: 'c', lastMessageId: minutesAgo(5) }], NOW)).toEqual([]);
    expect(planCatchUp([cursor], [{ id: 'c', lastMessageId: minutesAgo(1) }], NOW)).toEqual([
      { channelId: 'c', isDirect: false, after: minutesAgo(5) },
    ]);
  });

  it('reads the last half hour of a channel that was never heard', () => {
    expect(planCatchUp([], [{ id: 'new', lastMessageId: minutesAgo(2) }], NOW)).toEqual([
      { channelId: 'new', isDirect: false, after: minutesAgo(30) },
    ]);
    expect(planCatchUp([], [{ id: 'old', lastMessageId: minutesAgo(45) }], NOW)).toEqual([]);
    expect(planCatchUp([], [{ id: 'empty', lastMessageId: null }], NOW)).toEqual([]);
  });
});
