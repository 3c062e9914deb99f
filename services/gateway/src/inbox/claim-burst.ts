import { firstOf, MAX_PICTURES, SentPicture } from '@kith/contracts';
import type { Database, Reader, Writer } from '@kith/database';
import { turnIdOf } from '../signals/turn-id-of.js';
import type { Claim, ClaimedMessage } from './claim.js';
import { decideBurst, type BurstLimits } from './decide-burst.js';
import { holdsLease, LEASE_MS } from './lease.js';
import type { Speaker } from '../conversations/conversations.js';
import type { TalkReader } from '../conversations/talk-reader.js';
import { openMessages } from './open-messages.js';

/** Stores of waiting messages and of the talk so far. */
export interface TurnStores {
  database: Database;
  talks: TalkReader;
}

export type ClaimResult =
  | { kind: 'claimed'; claim: Claim }
  /** Another worker answers the speaker, and will look for further messages when done. */
  | { kind: 'busy' }
  /** The burst may still grow for `restMs`. The job of its newest message answers it. */
  | { kind: 'wait'; restMs: number; newest: bigint }
  /** The message is on its last try, and the caller asked to leave such messages. */
  | { kind: 'suspect' }
  | { kind: 'nothing' };

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
      SELECT display_name AS "displayName", companion_id AS "companionId", audience, kind, lease_token AS "leaseToken", retold AS "changeCount", now()::timestamptz(3) AS now,
        private_from IS NOT NULL AS "isPrivate",
        ${holdsLease} AS "isLeased"
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
interface HeadRow extends Pick<
  Claim,
  'companionId' | 'audience' | 'kind' | 'leaseToken' | 'changeCount' | 'isPrivate'
> {
  displayName: string;
  isLeased: boolean;
  now: Date;
}
