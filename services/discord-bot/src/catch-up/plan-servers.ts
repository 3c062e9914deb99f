/** The servers of a new session: all there are on its shard, also those that are out of reach. */
export interface ListedServers {
  ids: readonly string[];
  /** Its number, and how many shards there are. */
  shard: readonly [number, number];
}

export interface KnownServer {
  id: string;
  /** The order to leave it may have been given, or none to return: it was only heard of since. */
  leaving: boolean;
}

/**
 * Compares the servers known with those listed: left and joined ones, and of those that were being left whichever it
 * came to. Those of other shards are not judged.
 */
export function planServers(
  known: readonly KnownServer[],
  { ids, shard }: ListedServers,
): { left: string[]; joined: string[] } {
  const listed = new Set(ids);
  const held = new Set(known.filter(({ leaving }) => !leaving).map(({ id }) => id));
  return {
    left: known.map(({ id }) => id).filter((id) => !listed.has(id) && isOnShard(id, shard)),
    joined: ids.filter((id) => !held.has(id)),
  };
}

/** Discord spreads servers over shards by the time they were made, which their ids begin with. */
function isOnShard(serverId: string, [shard, shards]: ListedServers['shard']): boolean {
  return (BigInt(serverId) >> 22n) % BigInt(shards) === BigInt(shard);
}
