import type { Cursor } from './cursors.js';

/** Past this nobody expects an answer any more. */
const CATCH_UP_MS = 30 * 60_000;
/** Discord's epoch: ids are milliseconds since then, shifted by 22 bits. */
const DISCORD_EPOCH_MS = 1_420_070_400_000n;

/** A place to read, and after which message. */
export interface CatchUp {
  channelId: string;
  isDirect: boolean;
  after: string;
}

/** A channel of a server as the gateway announced it. */
export interface KnownChannel {
  id: string;
  /** Of the newest message in it; null in an empty one. */
  lastMessageId: string | null;
}

/** The smallest id that a message of this moment can have. */
export function snowflakeAt(at: Date): string {
  return String((BigInt(at.getTime()) - DISCORD_EPOCH_MS) << 22n);
}

/**
 * Which places may hold something that was not heard while nobody listened: DMs that are known, whose news Discord
 * does not announce, and channels with a newer message than was heard. Nothing older than half an hour is read.
 */
export function planCatchUp(
  cursors: readonly Cursor[],
  channels: readonly KnownChannel[],
  now: Date,
): CatchUp[] {
  const earliest = BigInt(snowflakeAt(new Date(now.getTime() - CATCH_UP_MS)));
  const afterOf = (heard: string | undefined) => {
    const last = heard === undefined ? earliest : BigInt(heard);
    return last > earliest ? last : earliest;
  };
  const heard = new Map(cursors.map((cursor) => [cursor.channelId, cursor.lastMessageId]));
  const direct = cursors
    .filter(({ isDirect }) => isDirect)
    .map(({ channelId, lastMessageId }) => ({
      channelId,
      isDirect: true,
      after: String(afterOf(lastMessageId)),
    }));
  const shared = channels.flatMap(({ id, lastMessageId }) => {
    const after = afterOf(heard.get(id));
    if (lastMessageId === null || BigInt(lastMessageId) <= after) return [];
    return [{ channelId: id, isDirect: false, after: String(after) }];
  });
  return [...direct, ...shared];
}
