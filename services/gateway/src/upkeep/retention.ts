import {
  type Audience,
  channelAudience,
  DAY_MS,
  Door,
  MAX_PLACE_MESSAGES,
  MAX_TURNS_ASKED,
  memoryContract,
  outreachContract,
  personalityContract,
} from '@kith/contracts';
import { deleteInBatches, inBatches, sql, type Database, type Sql } from '@kith/database';
import { oneByOne, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Erasures } from '../erasure/erasures.js';
import type { LeftReplies } from '../forgetting/left-replies.js';
import type { PlaceOrders } from './place-orders.js';

/** Days for which something is kept. */
export interface RetentionDays {
  /** Copies of what was said that a turn works with; 0: for ever. */
  workingTexts: number;
  /** The conversations themselves; 0: for ever. */
  transcript: number;
  /** The log of what operators did. */
  audit: number;
  /** Talk of a server, from when the app left it. */
  leftServers: number;
}

/** Rows that change in one transaction, so that none holds many for long. */
const BATCH = 2_000;
/** Days for which a browser's session is listed after its end, for who looks into it: as long as one lasts. */
const ENDED_SESSION_DAYS = 30;

/** Deletes what has had its time. Every part is safe to repeat and to be broken off. */
export class Retention {
  constructor(
    private readonly parts: {
      database: Database;
      messenger: Pick<Messenger, 'ask' | 'scrubDisk'>;
      erasures: Pick<Erasures, 'resume'>;
      replies: Pick<LeftReplies, 'drop'>;
      places: Pick<PlaceOrders, 'tellLeft'>;
      days: RetentionDays;
      logger: Logger;
    },
  ) {}

  /** Runs the nightly job. */
  async run(now: Date): Promise<void> {
    const { workingTexts, transcript, leftServers, audit } = this.parts.days;
    const ago = (days: number) => new Date(now.getTime() - days * DAY_MS);
    const counts = {
      texts: workingTexts === 0 ? 0 : await this.emptyTexts(ago(workingTexts)),
      lines: transcript === 0 ? 0 : await this.delete('transcript', sql`at < ${ago(transcript)}`),
      // A talk is held for minutes, and read anew where these have gone.
      changes: await this.delete('transcript_changes', sql`at < ${ago(1)}`),
      actions: await this.delete('operator_actions', sql`at < ${ago(audit)}`),
      sessions: await this.dropSessions(ago(ENDED_SESSION_DAYS)),
      places: await this.dropLeft(ago(leftServers)),
      orders: await this.delete('place_orders', sql`"left" AND at < ${ago(leftServers)}`),
      erasures: await this.parts.erasures.resume(),
    };
    this.parts.messenger.scrubDisk();
    const isEmpty = Object.values(counts).every((count) => count === 0);
    this.parts.logger[isEmpty ? 'debug' : 'info'](counts, 'retention deleted expired data');
  }

  /** Empties texts. Messages and turns stay, so that an id that comes again is known, and a turn's outcome too. */
  private async emptyTexts(before: Date): Promise<number> {
    return (
      (await this.inBatches(
        sql`UPDATE inbox SET text = '', target = NULL WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM inbox WHERE outcome IS NOT NULL AND ended_at < ${before} AND (text <> '' OR target IS NOT NULL)
          LIMIT ${BATCH}))`,
      )) +
      (await this.inBatches(
        sql`UPDATE outbox SET text = '', target = '{}' WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM outbox WHERE status <> 'pending' AND settled_at < ${before} AND (text <> '' OR target <> '{}')
          LIMIT ${BATCH}))`,
      )) +
      (await this.inBatches(
        sql`UPDATE turns SET trace = trace - 'recalled' - 'alsoShown' WHERE ctid = ANY (ARRAY(
          SELECT ctid FROM turns WHERE ended_at < ${before} AND jsonb_exists(trace, 'recalled')
          ORDER BY ended_at LIMIT ${BATCH}))`,
      )) +
      (await this.delete('tool_calls', sql`asked_at < ${before}`)) +
      (await this.delete('turn_steps', sql`at < ${before}`))
    );
  }

  /** Deletes browsers' sessions that ended before this time, but for those by which an operator acted as somebody. */
  private dropSessions(before: Date): Promise<number> {
    return this.delete(
      'api_keys',
      sql`session_of IS NOT NULL AND made_by IS NULL AND least(expires_at, revoked_at) < ${before}`,
    );
  }

  /** Deletes what was said in servers that the app left before this time and has not been back in since. */
  private async dropLeft(before: Date): Promise<number> {
    const left = await this.parts.database.read(
      'system',
      (tx) => tx.$queryRaw<{ id: string; door: string; externalId: string }[]>`
        SELECT conversation_id AS id, door, external_id AS "externalId" FROM conversations AS place
        WHERE ${isLeftSince(before)}`,
    );
    await oneByOne(left, async ({ id, door, externalId }) => {
      if (!(await this.isStillLeft(id, before))) return;
      const audience = channelAudience(Door.parse(door), externalId);
      await this.endUndos(id);
      await this.forgetReasons(audience);
      await this.parts.messenger.ask(memoryContract.forgetPlace, { audience });
      await this.parts.replies.drop(audience);
      await this.forgetTurns(id);
      await this.dropConversation(id, before);
    });
    // Nothing of these places is left to be held back, with any companion.
    await oneByOne(left, ({ door, externalId }) =>
      this.parts.places.tellLeft([channelAudience(Door.parse(door), externalId)], false),
    );
    return left.length;
  }

  /**
   * Ends the undo of what people of a conversation have just had forgotten: some of it may be of this place, and would
   * come back without it.
   */
  private async endUndos(conversationId: string): Promise<void> {
    await this.parts.database.write(
      'system',
      (tx) => tx.$executeRaw`
        UPDATE forget_orders SET undo_until = now() WHERE undo_until > now()
          AND person_id IN (SELECT person_id FROM turns WHERE conversation_id = ${conversationId}::uuid)`,
    );
  }

  /**
   * Makes the scheduler forget a place, and reasons that companions thought of elsewhere: those name messages, which memory
   * can tell only until it forgets them itself.
   */
  private async forgetReasons(audience: Audience): Promise<void> {
    const { sources } = await this.parts.messenger.ask(memoryContract.forgetPlace, {
      audience,
      preview: true,
    });
    let from = 0;
    do {
      const messageIds = sources.slice(from, from + MAX_PLACE_MESSAGES);
      await this.parts.messenger.ask(outreachContract.forgetPlace, { audience, messageIds });
      from += MAX_PLACE_MESSAGES;
    } while (from < sources.length);
  }

  /** Makes personality forget the turns of a conversation: it does not know places, so they are named. */
  private async forgetTurns(conversationId: string): Promise<void> {
    const turns = await this.parts.database.read(
      'system',
      (tx) => tx.$queryRaw<{ id: string }[]>`
        SELECT turn_id AS id FROM turns WHERE conversation_id = ${conversationId}::uuid ORDER BY turn_id`,
    );
    for (let from = 0; from < turns.length; from += MAX_TURNS_ASKED) {
      const turnIds = turns.slice(from, from + MAX_TURNS_ASKED).map(({ id }) => id);
      await this.parts.messenger.ask(personalityContract.forgetTurns, { turnIds });
    }
  }

  /** Tells whether the app is still away: dropping the places before this one may have taken a while. */
  private isStillLeft(id: string, before: Date): Promise<boolean> {
    return this.parts.database.read('system', async (tx) => {
      const found = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM conversations AS place WHERE conversation_id = ${id}::uuid AND ${isLeftSince(before)}`;
      return found.length > 0;
    });
  }

  /** Deletes a conversation with what it holds. Stops where the app comes back to its place meanwhile. */
  private async dropConversation(id: string, before: Date): Promise<void> {
    const ifLeft = sql`(
      SELECT conversation_id FROM conversations AS place
      WHERE conversation_id = ${id}::uuid AND ${isLeftSince(before)})`;
    for (const table of ['outbox', 'epochs', 'transcript', 'turn_steps', 'turns', 'tool_calls', 'inbox'])
      await this.delete(table, sql`conversation_id = ${ifLeft}`);
    await this.parts.database.write('system', async (tx) => {
      // A message that is being accepted holds this row's lock. The statement below then sees the message.
      await tx.$queryRaw`SELECT 1 FROM conversations WHERE conversation_id = ${id}::uuid FOR UPDATE`;
      await tx.$executeRaw`
        DELETE FROM conversations WHERE conversation_id = ${ifLeft}
          AND NOT EXISTS (SELECT 1 FROM inbox WHERE conversation_id = ${id}::uuid)`;
    });
  }

  private delete(table: string, which: Sql): Promise<number> {
    return deleteInBatches(this.parts.database, 'system', table, which, BATCH);
  }

  private inBatches(statement: Sql): Promise<number> {
    return inBatches(BATCH, () => this.parts.database.write('system', (tx) => tx.$executeRaw(statement)));
  }
}

/** Matches a `place` that the app left before this time, and where nothing was said since. */
function isLeftSince(before: Date): Sql {
  return sql`left_at < ${before} AND NOT EXISTS (
    SELECT 1 FROM inbox WHERE conversation_id = place.conversation_id AND received_at > place.left_at)`;
}
