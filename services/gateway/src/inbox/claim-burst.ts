import { DiscordTarget, Door, firstOf, MAX_PICTURES, SentPicture } from '@kith/contracts';
import type { Database, Reader, Writer } from '@kith/database';
import { z } from 'zod';
import { turnIdOf } from '../signals/turn-id-of.js';
import { KeptQuote, type Claim, type ClaimedMessage } from './claim.js';
import { decideBurst, type BurstDecision, type BurstLimits } from './decide-burst.js';
import { holdsLease, LEASE_MS } from './lease.js';
import { placeColumns, type PlaceRow } from './place-row.js';
import type { Speaker } from '../conversations/conversations.js';
import type { TalkReader } from '../conversations/talk-reader.js';
import { wordsOfDropped } from './lost-words.js';

/** Bytes above which pictures are whole ones and count as one: to count them the store would unpack them all. */
const WHOLE_BYTES = 10_000;
/** Messages read at once: a flood becomes few turns, and the next claim finds the rest. */
const OPEN_LIMIT = 500;

/** Stores of waiting messages and of the talk so far. */
export interface TurnStores {
  database: Database;
  talks: TalkReader;
}

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  /** Another worker answers the speaker, and will look for further messages when done. */
  | { kind: 'busy' }
  /** The message is on its last try, and the caller asked to leave such messages. */
  | { kind: 'suspect' }
  /** Nothing waits, or the burst may still grow: the job of its newest message answers it. */
  | Exclude<BurstDecision<ClaimedMessage>, { kind: 'take' }>;

/**
 * Takes a speaker's next burst. The lease is stored with the speaker's first open message, which every claim locks; the
 * others of the burst have its token.
 * @param leavesSuspects leaves a message on its last try alone, without counting a try
 */
export function claimBurst(
  { database, talks }: TurnStores,
  { conversationId, personId }: Speaker,
  limits: BurstLimits,
  { leavesSuspects = false } = {},
): Promise<ClaimResult> {
  return database.write({ personId, conversationId }, async (tx): Promise<ClaimResult> => {
    // Round `now` to milliseconds like `received_at`, or a message received just now would lie in the future.
    // Both statements go out in one round trip. The second runs after the first has its row lock, so it sees what the
    // lease's last holder committed.
    const [[head], open] = await Promise.all([
      tx.$queryRaw<HeadRow[]>`
      SELECT ${placeColumns}, lease_token AS "leaseToken", now()::timestamptz(3) AS now, ${holdsLease} AS "isLeased"
      FROM inbox JOIN conversations USING (conversation_id) JOIN people ON people.person_id = inbox.person_id
      WHERE conversation_id = ${conversationId}::uuid AND inbox.person_id = ${personId}::uuid AND outcome IS NULL
      ORDER BY inbox.id LIMIT 1 FOR UPDATE OF inbox`,
      openMessages(tx, { conversationId, personId }),
    ]);
    if (!head) return { kind: 'nothing' };
    const { isLeased, now, displayName, ...place } = head;
    if (isLeased) return { kind: 'busy' };
    // Only doors that deliver later gather bursts. At the others a caller waits for the answer to each message.
    const gathers = open[0]?.target && open[0].origin === 'message';
    const within = gathers ? limits : { ...limits, debounceMs: 0 };
    const decision = decideBurst(open, within, now, await lastCall(tx, conversationId, open[0], place));
    if (decision.kind !== 'take') return decision;
    const { burst, poison, isSuspect } = decision;
    if (isSuspect && leavesSuspects) return { kind: 'suspect' };
    const { id: leased } = firstOf(burst);
    const leaseToken = place.leaseToken + 1;
    const [, talk, pictures] = await tx.last(() =>
      Promise.all([
        tx.$executeRaw`
          UPDATE inbox SET attempts = attempts + 1, lease_token = ${leaseToken},
            lease_until = CASE WHEN id = ${leased} THEN now() + ${LEASE_MS} * interval '1 millisecond' END
          WHERE id = ANY(${burst.map(({ id }) => id)})`,
        talks.read(tx, { conversationId, personId }),
        // The pictures may be what ended the process before.
        poison ? [] : newestPictures(tx, burst),
      ]),
    );
    return {
      kind: 'claimed',
      claim: {
        conversationId,
        personId,
        ...place,
        // The name in this place: the one that they have elsewhere is not told here.
        personName: burst.findLast(({ deleted }) => !deleted)?.nickname ?? displayName,
        leaseToken,
        burst,
        pictures,
        poison,
        claimedAt: now,
        ...talk,
      },
    };
  });
}

/** Reads the newest pictures of a burst, as many as a model is shown, oldest first. Leaves out unreadable ones. */
async function newestPictures(tx: Reader, burst: readonly Pick<ClaimedMessage, 'id'>[]) {
  const rows = await tx.$queryRaw<{ picture: unknown }[]>`
    SELECT picture FROM inbox
      CROSS JOIN LATERAL jsonb_path_query(pictures, '$[*]') WITH ORDINALITY AS sent(picture, place)
    WHERE id = ANY(${burst.map(({ id }) => id)}) AND pictures IS NOT NULL
    ORDER BY id DESC, place DESC LIMIT ${MAX_PICTURES}`;
  return rows.toReversed().flatMap(({ picture }) => SentPicture.safeParse(picture).data ?? []);
}

/** Finds when a step of the turn last called tools; null, without a query, before the turn's first try. */
async function lastCall(
  tx: Writer,
  conversationId: string,
  first: ClaimedMessage | undefined,
  { leaseToken }: Pick<HeadRow, 'leaseToken'>,
): Promise<Date | null> {
  if (!first || leaseToken === 0) return null;
  const [last] = await tx.$queryRaw<{ at: Date | null }[]>`
    SELECT max(at) AS at FROM turn_steps WHERE turn_id = ${turnIdOf(conversationId, first.id)}::uuid AND calls <> '[]'`;
  return last?.at ?? null;
}

/** The speaker's first open message, which carries the lease, and where it was said. */
interface HeadRow extends PlaceRow {
  leaseToken: number;
  isLeased: boolean;
  now: Date;
}

/**
 * Reads a speaker's messages without an outcome, oldest first; drops those that can't be read. Does not read their
 * pictures: those of so many messages would not fit in memory.
 */
async function openMessages(tx: Writer, { conversationId, personId }: Speaker): Promise<ClaimedMessage[]> {
  const rows = await tx.$queryRaw<Omit<ClaimedMessage, keyof z.infer<typeof Addressed>>[]>`
    SELECT id, origin, received_at AS "receivedAt", attempts, lease_token AS "leaseToken", door, external_id AS "externalId", text, target, quote, nickname,
      sent_at AS "sentAt", revision, overtaken, deleted_at IS NOT NULL AS deleted, stopped_at IS NOT NULL AS stopped,
      CASE WHEN pictures IS NULL THEN 0 WHEN pg_column_size(pictures) > ${WHOLE_BYTES} THEN 1
        ELSE jsonb_array_length(jsonb_path_query_array(pictures, '$[*]')) END AS "pictureCount"
    FROM inbox
    WHERE conversation_id = ${conversationId}::uuid AND person_id = ${personId}::uuid AND outcome IS NULL
    ORDER BY id LIMIT ${OPEN_LIMIT}`;
  const open: ClaimedMessage[] = [];
  const unreadable: bigint[] = [];
  for (const row of rows) {
    const { data } = Addressed.safeParse(row);
    if (data) open.push({ ...row, ...data });
    else unreadable.push(row.id);
  }
  // Their answer has no address. Left open, they would block the speaker's later messages for ever.
  if (unreadable.length > 0)
    await tx.$executeRaw`
      UPDATE inbox SET outcome = 'dropped', outcome_reason = 'unreadable', ended_at = now(), text = ${wordsOfDropped}
      WHERE id = ANY(${unreadable})`;
  return open;
}

/** Part of a row that says where its answer goes. */
const Addressed = z.object({
  door: Door,
  target: DiscordTarget.nullable(),
  // An answer can do without it.
  quote: KeptQuote.nullable().catch(null),
});
