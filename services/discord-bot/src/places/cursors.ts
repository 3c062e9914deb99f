import { DAY_MS, isErased } from '@kith/contracts';
import type { Database, DiscordCursorModel } from '@kith/database';
import type { Logger } from 'pino';
import { SavedEverySecond } from './saved-every-second.js';

export type CursorPlace = Pick<DiscordCursorModel, 'channelId' | 'isDirect'>;

/** A place with the message up to which everything was accepted, or needed nothing. */
export type Cursor = CursorPlace & Pick<DiscordCursorModel, 'lastMessageId'>;

/** Cursor with the person whose DM it is; null for a channel, and where that is not known. */
type OwnedCursor = Cursor & Pick<DiscordCursorModel, 'personId'>;

/** A channel that was silent for so long is caught up with like one that was never heard. */
const CHANNELS_FOR_DAYS = 30;
/** Longer time for DMs: they are silent longer, and nobody else reads what a returning person writes there. */
const DMS_FOR_DAYS = 365;
/** Most DMs caught up with, the latest ones: each costs a request at each start. An announced channel costs none. */
const MAX_DMS = 2_000;

/** Keeps the newest message heard in each place, and saves it in batches. */
export class Cursors extends SavedEverySecond {
  private readonly changed = new Map<string, OwnedCursor>();

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {
    super();
  }

  /** Notes that everything in a place up to this message is accepted. An older message than before changes nothing. */
  advance(cursor: OwnedCursor): void {
    const before = this.changed.get(cursor.channelId);
    if (before && BigInt(before.lastMessageId) >= BigInt(cursor.lastMessageId)) return;
    this.changed.set(cursor.channelId, { ...cursor, personId: cursor.personId ?? before?.personId ?? null });
  }

  /** Forgets channels that are out of reach for good. A save that is under way would bring them back: it ends first. */
  drop(channelIds: readonly string[]): Promise<void> {
    return this.betweenSaves(async () => {
      for (const channelId of channelIds) this.changed.delete(channelId);
      await this.database.writer('system').$executeRaw`
        DELETE FROM discord_cursors WHERE channel_id = ANY (${[...channelIds]}::text[])`;
    });
  }

  /**
   * Notes a DM that was opened before its person wrote in it, so that it is caught up with from there on. Never throws: without
   * the note the DM is known from its person's first message on.
   */
  async opened(dm: { channelId: string; personId: string; lastMessageId: string }): Promise<void> {
    try {
      const { channelId, personId, lastMessageId } = dm;
      await this.database.writer('system').$executeRaw`
        INSERT INTO discord_cursors (channel_id, is_direct, person_id, last_message_id, updated_at)
        VALUES (${channelId}, true, ${personId}::uuid, ${lastMessageId}, now()) ON CONFLICT DO NOTHING`;
    } catch (error) {
      this.logger.warn({ err: error, channelId: dm.channelId }, 'opened DM not noted');
    }
  }

  /** Reads the cursors of channels with recent talk and of the latest DMs, or of these places alone. Drops older ones. */
  async read(channelIds?: readonly string[]): Promise<Cursor[]> {
    await this.save();
    const before = (days: number) => new Date(Date.now() - days * DAY_MS);
    const those = channelIds ? [...channelIds] : null;
    return this.database.write('system', async (tx) => {
      const [, cursors] = await Promise.all([
        tx.$executeRaw`
          DELETE FROM discord_cursors
          WHERE updated_at < CASE WHEN is_direct THEN ${before(DMS_FOR_DAYS)}::timestamptz
                                  ELSE ${before(CHANNELS_FOR_DAYS)}::timestamptz END`,
        tx.$queryRaw<Cursor[]>`
          SELECT channel_id AS "channelId", is_direct AS "isDirect", last_message_id AS "lastMessageId"
          FROM (SELECT *, row_number() OVER (PARTITION BY is_direct ORDER BY updated_at DESC) AS place
                FROM discord_cursors WHERE ${those}::text[] IS NULL OR channel_id = ANY (${those}::text[])) AS known
          WHERE NOT is_direct OR place <= ${MAX_DMS} ORDER BY updated_at DESC`,
      ]);
      return cursors;
    });
  }

  protected async saveNow(): Promise<void> {
    const batch = [...this.changed.values()];
    if (batch.length === 0) return;
    this.changed.clear();
    try {
      await this.write(batch).catch(async (error: unknown) => {
        if (!isErased(error)) throw error;
        // One of them belongs to somebody who was erased meanwhile: it alone is left out.
        for (const cursor of batch) {
          await this.write([cursor]).catch((refused: unknown) => {
            if (!isErased(refused)) throw refused;
          });
        }
      });
    } catch (error) {
      for (const cursor of batch)
        if (!this.changed.has(cursor.channelId)) this.changed.set(cursor.channelId, cursor);
      this.logger.warn({ err: error }, 'cursors not saved yet');
    }
  }

  /** Writes cursors. A DM is kept only with its person: without one, nobody could say when to erase it. */
  private async write(batch: readonly OwnedCursor[]): Promise<void> {
    await this.database.writer('system').$executeRaw`
      INSERT INTO discord_cursors (channel_id, is_direct, person_id, last_message_id, updated_at)
      SELECT channel_id, is_direct, person_id, last_message_id, now()
      FROM unnest(${batch.map(({ channelId }) => channelId)}::text[],
        ${batch.map(({ isDirect }) => isDirect)}::boolean[],
        ${batch.map(({ personId }) => personId)}::uuid[],
        ${batch.map(({ lastMessageId }) => lastMessageId)}::text[])
        AS heard (channel_id, is_direct, person_id, last_message_id)
      WHERE NOT is_direct OR person_id IS NOT NULL
        OR EXISTS (SELECT 1 FROM discord_cursors AS known WHERE known.channel_id = heard.channel_id)
      ON CONFLICT (channel_id) DO UPDATE
      SET last_message_id = excluded.last_message_id, updated_at = excluded.updated_at,
        person_id = coalesce(excluded.person_id, discord_cursors.person_id)
      WHERE discord_cursors.last_message_id::numeric < excluded.last_message_id::numeric`;
  }
}
