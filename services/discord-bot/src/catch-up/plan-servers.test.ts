import { describe, expect, it } from '@jest/globals';
import { type ListedServers, planServers } from './plan-servers.js';

const idAt = (time: number) => String((BigInt(time) << 22n) | 7n);
const plan = (known: string[], listed: ListedServers) =>
  planServers(
    known.map((id) => ({ id, held: true })),
    listed,
  );
const [a, b, c, d] = [idAt(10), idAt(11), idAt(12), idAt(13)];

describe('the servers of a new session', () => {
  it('are left when they are not listed any more, and joined when they are new', () => {
    expect(plan([a, b, c], { ids: [b, c, d], shard: [0, 1] })).toEqual({ left: [a], joined: [d] });
    expect(plan([], { ids: [a], shard: [0, 1] })).toEqual({ left: [], joined: [a] });
    expect(plan([a], { ids: [a], shard: [0, 1] })).toEqual({ left: [], joined: [] });
  });

  it('are what they came to where they were being left', () => {
    const known = [
      { id: a, held: false },
      { id: b, held: false },
    ];
    expect(planServers(known, { ids: [b], shard: [0, 1] })).toEqual({ left: [a], joined: [b] });
  });

  it('are all left when none is listed', () => {
    expect(plan([a, b], { ids: [], shard: [0, 1] }).left).toEqual([a, b]);
  });

  it('count on their own shard alone', () => {
    expect(plan([a, b, c, d], { ids: [c], shard: [0, 2] }).left).toEqual([a]);
    expect(plan([a, b, c, d], { ids: [b], shard: [1, 2] }).left).toEqual([d]);
  });
});
