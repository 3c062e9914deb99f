import { describe, expect, it } from '@jest/globals';
import { planServers } from './plan-servers.js';

const idAt = (time: number) => String((BigInt(time) << 22n) | 7n);
const [a, b, c, d] = [idAt(10), idAt(11), idAt(12), idAt(13)];

describe('the servers of a new session', () => {
  it('are left when they are not listed any more, and joined when they are new', () => {
    expect(planServers([a, b, c], { ids: [b, c, d], shard: [0, 1] })).toEqual({ left: [a], joined: [d] });
    expect(planServers([], { ids: [a], shard: [0, 1] })).toEqual({ left: [], joined: [a] });
    expect(planServers([a], { ids: [a], shard: [0, 1] })).toEqual({ left: [], joined: [] });
  });

  it('are all left when none is listed', () => {
    expect(planServers([a, b], { ids: [], shard: [0, 1] }).left).toEqual([a, b]);
  });

  it('count on their own shard alone', () => {
    expect(planServers([a, b, c, d], { ids: [c], shard: [0, 2] }).left).toEqual([a]);
    expect(planServers([a, b, c, d], { ids: [b], shard: [1, 2] }).left).toEqual([d]);
  });
});
