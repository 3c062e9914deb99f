/** The servers of a new session: all there are on its shard, also those that are out of reach. */
export interface ListedServers {
  ids: readonly string[];
  /** Its number, and how many shards there are. */
  shard: readonly [number, number];
}

/** Compares the servers known with those listed: left and joined ones. Those of other shards are not judged. */
export function planServers(
  known: readonly string[],
  { ids, shard }: ListedServers,
): { left: string[]; joined: string[] } {
  const [listed, before] = [new Set(ids), new Set(known)];
  return {
    left: known.filter((id) => !listed.has(id) && isOnShard(id, shard)),
    joined: ids.filter((id) => !before.has(id)),
  };
}

/** Discord spreads servers over shards by the time they were made, which their ids begin with. */
function isOnShard(serverId: string, [shard, shards]: ListedServers['shard']): boolean {
  return (BigInt(serverId) >> 22n) % BigInt(shards) === BigInt(shard);
}
