import type { Cursor, CursorPlace } from '../places/cursors.js';
import { snowflakeAt } from '../rest/snowflake-at.js';

/** Age up to which messages are read in a place that existed but has no cursor: older ones hardly concern the bot. */
const NEVER_HEARD_MS = 30 * 60_000;

/**
 * Most unannounced threads to read, those heard last: each costs two requests. Archived ones have no news, unless somebody
 * wrote there and it was archived again, an hour later at the earliest.
 */
const MAX_UNANNOUNCED = 1_000;

/** A place to read, and how far back. */
export interface CatchUp extends CursorPlace {
  /** Everything up to this message was heard. */
  after: string;
  /** Messages with a smaller id are too old to be answered. */
  earliest: string;
}

/** A channel or thread of a server as the gateway announced it. */
export interface KnownChannel {
  id: string;
  /** Smallest id that a message there can have, from the time the place was made. */
  madeAt: string;
  /** Id of its newest message; null in an empty one. */
  lastMessageId: string | null;
  canRead: boolean;
}

/**
 * Plans which places to read after an outage: known DMs, whose news Discord does not announce; channels and threads with
 * a newer message than was heard; and places that were heard and are not announced, such as a thread that was archived
 * meanwhile. A channel that was never heard and can't be read is left out. One that was made after the last message
 * heard anywhere was made while the bot was away: all in it was missed.
 * @param cursors the latest first
 * @param lastHeard the newest message heard before the session; null where none was
 */
export function planCatchUp(
  cursors: readonly Cursor[],
  channels: readonly KnownChannel[],
  lastHeard: string | null,
  now: Date,
  maxAgeMs: number,
): CatchUp[] {
  const ago = (ms: number) => snowflakeAt(new Date(now.getTime() - ms));
  const announced = new Map(channels.map(({ id, lastMessageId }) => [id, lastMessageId]));
  const heard = new Set(cursors.map(({ channelId }) => channelId));
  const unannounced = cursors.filter(({ channelId, isDirect }) => !isDirect && !announced.has(channelId));
  const leftOut = new Set(unannounced.slice(MAX_UNANNOUNCED));
  const known = cursors
    .filter(
      (cursor) => isNewer(announced.get(cursor.channelId), cursor.lastMessageId) && !leftOut.has(cursor),
    )
    .map(({ channelId, isDirect, lastMessageId }) => ({ channelId, isDirect, after: lastMessageId }));
  const unheard = ago(Math.min(NEVER_HEARD_MS, maxAgeMs));
  const fresh = channels
    .filter(({ id, canRead }) => canRead && !heard.has(id))
    .flatMap(({ id, madeAt, lastMessageId }) => {
      const after = lastHeard !== null && isNewer(madeAt, lastHeard) ? lastHeard : unheard;
      return isNewer(lastMessageId, after) ? [{ channelId: id, isDirect: false, after }] : [];
    });
  return [...known, ...fresh].map((place) => ({ ...place, earliest: ago(maxAgeMs) }));
}

/** Finds the newest message heard anywhere; null where none was. */
export function lastHeardOf(cursors: readonly Cursor[]): string | null {
  return cursors.reduce<string | null>(
    (newest, { lastMessageId }) =>
      newest === null || isNewer(lastMessageId, newest) ? lastMessageId : newest,
    null,
  );
}

/** Tells whether a place may have newer messages; one that was not announced always may. */
function isNewer(newest: string | null | undefined, heard: string): boolean {
  return newest === undefined || (newest !== null && BigInt(newest) > BigInt(heard));
}
