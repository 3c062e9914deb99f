import {
  AppError,
  erasedError,
  MAX_SENT_PICTURE_BYTES,
  type DiscordTarget,
  type Door,
  type SentPicture,
  type TurnOrigin,
} from '@kith/contracts';
import { sql, toJsonb, type Database, type InboxMessageModel, type Writer } from '@kith/database';
import { goneError } from '../conversations/conversations.js';
import { holdAcceptanceLock } from '../forgetting/acceptance-lock.js';
import type { SpeakersTalk } from '../conversations/talk.js';
import type { TurnStores } from './claim-burst.js';
import { LEASE_MS } from './lease.js';
import type { Claim, KeptQuote } from './claim.js';
import { placeColumns, type PlaceRow } from './place-row.js';

/** Message as a door hands it over. */
export interface IncomingMessage {
  conversationId: string;
  personId: string;
  door: Door;
  /** The door's own message id. A message whose id is known is not accepted again. */
  externalId: string;
  origin: TurnOrigin;
  text: string;
  /** Place the reply goes to when its door must be called. */
  target: DiscordTarget | null;
  /** Message it refers to. */
  quote?: KeptQuote | undefined;
  /** Name of its speaker in this place alone. */
  nickname?: string | undefined;
  pictures?: SentPicture[] | undefined;
  sentAt: Date;
}

/**
 * Bytes of one person's waiting pictures from which no more are taken: those of four of the largest requests. A turn shows
 * its model four pictures, so most of the others would be stored for nothing.
 */
const MAX_WAITING_PICTURE_BYTES = 4 * Math.ceil(MAX_SENT_PICTURE_BYTES / 3) * 4;
/** Time after which pictures that found no room are sent again: a turn takes some seconds, and ends with its pictures. */
const ROOM_AFTER_S = 10;

export interface AcceptedMessage {
  inboxId: string;
  duplicate: boolean;
  /** Number of messages of this person that waited for an outcome already. */
  waiting: number;
  /** The right to answer it, where that was asked for and it is the speaker's only open message. */
  claim: Claim | null;
}

/**
 * Commits the inbox row. When this returns, the message is accepted: it will end in exactly one outcome, whatever
 * happens to this process or to Redis. A speaker's messages are accepted one at a time, so that their ids are in the order
 * of their commits. A `sentAt` in the future becomes now: memory and affect order by it. What a chat door brings late, after
 * its person had that time forgotten, counts as forgotten before its answer, as what waited then does.
 * @param mayClaim leases the message to this process as `claimBurst` would, in the same transaction, if it is the
 *   speaker's only open one
 * @throws AppError `not_found` where the conversation was deleted (handled by `Conversations.at`) or the person was erased
 *   (known to `isErased`), `rate_limited` where too many whole pictures of this person wait already, `conflict` where
 *   another person's message has the same id
 */
export async function acceptMessage(
  { database, talks }: TurnStores,
  message: IncomingMessage,
  mayClaim = false,
): Promise<AcceptedMessage> {
  const { conversationId, personId, externalId } = message;
  const isClaimed = sql`EXISTS (
    SELECT 1 FROM inbox
    WHERE conversation_id = ${conversationId}::uuid AND external_id = ${externalId} AND lease_token > 0
  )`;
  const [, [inserted], [place], talk] = await database.write({ personId, conversationId }, (tx) =>
    tx.last(() =>
      Promise.all([
        // Take the locks first: the INSERT must see everything committed before them. An erasure takes its lock before the
        // conversation row, too.
        tx.$queryRaw`
        SELECT pg_advisory_xact_lock(hashtextextended(${`inbox:${conversationId}:${personId}`}, 0)),
          ${holdAcceptanceLock(personId)},
          pg_advisory_xact_lock_shared(kith_erasure_lock(${personId}::uuid))`,
        insertMessage(tx, message, mayClaim),
        tx.$queryRaw<PlaceRow[]>`
        SELECT ${placeColumns} FROM conversations JOIN people ON people.person_id = ${personId}::uuid
        WHERE conversation_id = ${conversationId}::uuid`,
        mayClaim ? talks.read(tx, message, sql`AND ${isClaimed}`) : NO_TALK,
      ]),
    ),
  );
  if (!inserted || !place) return whyNotInserted(database, message, place !== undefined);
  const { id, waiting } = inserted;
  const claim = inserted.leaseToken > 0 ? claimOf(message, inserted, { ...place, ...talk }) : null;
  return { inboxId: String(id), duplicate: false, waiting, claim };
}

/** Inserts the message, with a lease if it may be claimed. Returns no row where its id is known or its pictures find no room. */
async function insertMessage(
  tx: Writer,
  message: IncomingMessage,
  mayClaim: boolean,
): Promise<InsertedRow[]> {
  const { conversationId, personId } = message;
  const target = message.target === null ? null : JSON.stringify(message.target);
  const quote = message.quote ? toJsonb(message.quote) : null;
  const pictures = message.pictures?.length ? toJsonb(message.pictures) : null;
  return tx.$queryRaw<InsertedRow[]>`
    WITH open AS MATERIALIZED (
      -- As stored: their sizes are known without reading them.
      SELECT conversation_id, pg_column_size(pictures) AS bytes FROM inbox
      WHERE person_id = ${personId}::uuid AND outcome IS NULL
    ), speaker AS MATERIALIZED (
      SELECT ${mayClaim} AND NOT EXISTS (SELECT 1 FROM open WHERE conversation_id = ${conversationId}::uuid) AS claimed,
        ${hasWhole(message)} AND (SELECT sum(bytes) FROM open) >= ${MAX_WAITING_PICTURE_BYTES} AS is_full,
        least(${message.sentAt}::timestamptz, now()) AS sent
    )
    INSERT INTO inbox (conversation_id, person_id, door, external_id, origin, text, target, quote, nickname, pictures,
      sent_at, lease_token, lease_until, attempts, forgotten_by)
    SELECT conversation_id, ${personId}::uuid, ${message.door}, ${message.externalId},
      ${message.origin}, ${message.text}, ${target}::jsonb, ${quote}::jsonb,
      ${message.nickname ?? null}, ${pictures}::jsonb,
      sent, claimed::int,
      CASE WHEN claimed THEN now() + ${LEASE_MS} * interval '1 millisecond' END, claimed::int,
      -- An API's caller names any time of what they tell now.
      (SELECT earlier.id FROM forget_orders AS earlier
       WHERE ${message.origin === 'message' && target !== null} AND earlier.person_id = ${personId}::uuid
         AND reason = 'forgotten' AND NOT keep_talk
         AND (earlier.companion_id IS NULL OR earlier.companion_id = conversations.companion_id)
         AND CASE what ->> 'kind' WHEN 'all' THEN sent <= at
           WHEN 'period' THEN sent >= (what ->> 'from')::timestamptz AND sent < (what ->> 'to')::timestamptz END
       ORDER BY at LIMIT 1)
    FROM conversations CROSS JOIN speaker
    WHERE conversation_id = ${conversationId}::uuid AND is_full IS NOT TRUE
    FOR KEY SHARE OF conversations
    ON CONFLICT (conversation_id, external_id) DO NOTHING
    RETURNING id, received_at AS "receivedAt", sent_at AS "sentAt", lease_token AS "leaseToken", now()::timestamptz(3) AS now,
      (SELECT count(*)::int FROM open) AS waiting`;
}

/** Tells whether a message brings pictures along. Pictures at an address take hardly more room than words. */
function hasWhole({ pictures }: IncomingMessage): boolean {
  return pictures?.some(({ url }) => url.startsWith('data:')) === true;
}

/** Finds the message that was accepted under this id before. @throws AppError as `acceptMessage` does, where there is none */
async function whyNotInserted(
  database: Database,
  message: IncomingMessage,
  hasPlace: boolean,
): Promise<AcceptedMessage> {
  const { conversationId, personId, externalId } = message;
  if (!hasPlace) {
    const erasures = await database.reader({ personId }).$queryRaw<unknown[]>`
      SELECT 1 FROM erasures WHERE erased_id = ${personId}::uuid`;
    throw erasures.length > 0 ? erasedError(undefined) : goneError(conversationId);
  }
  const [earlier] = await database.reader({ personId }).$queryRaw<{ id: bigint }[]>`
    SELECT id FROM inbox WHERE conversation_id = ${conversationId}::uuid AND external_id = ${externalId}`;
  if (earlier) return { inboxId: String(earlier.id), duplicate: true, waiting: 0, claim: null };
  // Whole pictures come in a person's own threads alone, where nobody else has ids.
  if (!hasWhole(message))
    throw new AppError('conflict', 'somebody else’s message has that id in this conversation');
  const words = `pictures of earlier messages still wait for their answers; send these again in ${ROOM_AFTER_S} s`;
  throw new AppError('rate_limited', words, { retryAfterS: ROOM_AFTER_S });
}

const NO_TALK: SpeakersTalk = { epoch: null, kept: [], earlier: [], wasAsked: false };

interface InsertedRow extends Pick<InboxMessageModel, 'id' | 'receivedAt' | 'sentAt' | 'leaseToken'> {
  now: Date;
  waiting: number;
}

function claimOf(
  { conversationId, personId, quote, nickname, pictures = [], ...said }: IncomingMessage,
  { now, waiting: _, ...row }: InsertedRow,
  { displayName, ...place }: PlaceRow & SpeakersTalk,
): Claim {
  const besides = { quote: quote ?? null, nickname: nickname ?? null, pictureCount: pictures.length };
  const unchanged = { attempts: 0, stopped: false, revision: 0, overtaken: 0, deleted: false };
  const message = { ...said, ...besides, ...row, ...unchanged };
  return {
    conversationId,
    personId,
    ...place,
    personName: nickname ?? displayName,
    leaseToken: row.leaseToken,
    burst: [message],
    pictures,
    poison: false,
    claimedAt: now,
  };
}
