import type { DiscordServerModel } from '@kith/database';

/** Servers of a new session: all of its shard, including those out of reach. */
export interface ListedServers {
  ids: readonly string[];
  /** Its number, and how many shards there are. */
  shard: readonly [number, number];
}

/** A server. It is held from the order to return to it until it is left; a message that is heard there does not make it so. */
export type KnownServer = Pick<DiscordServerModel, 'id' | 'held'>;

/**
 * Compares the servers known with those listed. Returns those that were left, and those that are not held yet. Servers
 * of other shards are skipped.
 */
export function planServers(known: readonly KnownServer[], { ids, shard }: ListedServers) {
  const listed = new Set(ids);
  const held = new Set(known.filter((server) => server.held).map(({ id }) => id));
  return {
    left: known.map(({ id }) => id).filter((id) => !listed.has(id) && isOnShard(id, shard)),
    joined: ids.filter((id) => !held.has(id)),
  };
}

/** Discord spreads servers over shards by the time they were made, which their ids begin with. */
function isOnShard(serverId: string, [shard, shards]: ListedServers['shard']): boolean {
  return (BigInt(serverId) >> 22n) % BigInt(shards) === BigInt(shard);
}
