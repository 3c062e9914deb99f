import { present } from '@kith/contracts';
import { type Database, type DiscordLiveReplyModel, rawSql } from '@kith/database';

/** Note of a reply that is shown while it is written. */
export type LiveNote = DiscordLiveReplyModel;

/** A turn, and the person whom it answers. */
export type LiveTurn = Pick<LiveNote, 'turnId' | 'personId'>;

const COLUMNS =
  rawSql(`turn_id AS "turnId", person_id AS "personId", channel_id AS "channelId", reply_to AS "replyTo",
  message_ids AS "messageIds", opening, started_at AS "startedAt", closed_at AS "closedAt", final_texts AS "finalTexts"`);

/**
 * The notes by which bot processes agree on a turn's live messages: one opens each before it is sent, whoever delivers
 * the reply (or takes the messages back) closes them all, and from then on nobody shows more.
 */
export class LiveNotes {
  constructor(private readonly database: Database) {}

  /**
   * Notes that the live message at `index` is about to be sent, unless it arrived before. Null: they are closed, the
   * reply is delivered already, or the messages before it are gone.
   */
  async open(
    note: Pick<LiveNote, 'turnId' | 'personId' | 'channelId' | 'replyTo'>,
    index: number,
    opening: string,
  ): Promise<LiveNote | null> {
    const { turnId, personId, channelId, replyTo } = note;
    const rows = await this.database.writer('system').$queryRaw<LiveNote[]>`
      INSERT INTO discord_live_replies AS live (turn_id, person_id, channel_id, reply_to, opening)
      SELECT ${turnId}::uuid, ${personId}::uuid, ${channelId}, ${replyTo}, ${opening}
      WHERE ${index} = 0 OR EXISTS (SELECT 1 FROM discord_live_replies WHERE turn_id = ${turnId}::uuid)
      ON CONFLICT (turn_id) DO UPDATE SET
        opening = CASE WHEN cardinality(live.message_ids) > ${index} THEN live.opening
          ELSE COALESCE(live.opening, excluded.opening) END,
        started_at = CASE WHEN cardinality(live.message_ids) > ${index} OR live.opening IS NOT NULL
          THEN live.started_at ELSE now() END
      WHERE live.closed_at IS NULL AND cardinality(live.message_ids) >= ${index}
      RETURNING ${COLUMNS}`;
    return rows[0] ?? null;
  }

  /** Closes a turn's note, so that nobody shows more of it from now on; also where nothing was shown. Returns the note. */
  async close({ turnId, personId }: LiveTurn, channelId: string, finalTexts: readonly string[]) {
    const [note] = await this.database.writer('system').$queryRaw<LiveNote[]>`
      INSERT INTO discord_live_replies AS live (turn_id, person_id, channel_id, closed_at, final_texts)
      VALUES (${turnId}::uuid, ${personId}::uuid, ${channelId}, now(), ${finalTexts}::text[])
      ON CONFLICT (turn_id) DO UPDATE SET closed_at = now(), final_texts = excluded.final_texts
      RETURNING ${COLUMNS}`;
    return present(note);
  }

  /** Closes a turn's note, if there is one: there is no reply. Also for a person who was erased, for whom none is added. */
  async end(turnId: string): Promise<LiveNote | null> {
    const [note] = await this.database.writer('system').$queryRaw<LiveNote[]>`
      UPDATE discord_live_replies SET closed_at = now(), final_texts = '{}' WHERE turn_id = ${turnId}::uuid
      RETURNING ${COLUMNS}`;
    return note ?? null;
  }

  async read(turnId: string): Promise<LiveNote | null> {
    const [note] = await this.database.reader('system').$queryRaw<LiveNote[]>`
      SELECT ${COLUMNS} FROM discord_live_replies WHERE turn_id = ${turnId}::uuid`;
    return note ?? null;
  }

  /** Notes that the message at `index` arrived, as this one. */
  async arrived(turnId: string, index: number, messageId: string): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE discord_live_replies SET message_ids = message_ids || ${messageId}::text, opening = NULL
      WHERE turn_id = ${turnId}::uuid AND cardinality(message_ids) = ${index}`;
  }

  /** Notes that only these messages of a turn are left. The note stays, closed. */
  async keep(turnId: string, messageIds: readonly string[]): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE discord_live_replies SET message_ids = ${[...messageIds]}::text[], opening = NULL
      WHERE turn_id = ${turnId}::uuid`;
  }

  /** Finds the turns whose replies to a person are shown while they are written. */
  async openTo(personId: string): Promise<string[]> {
    const notes = await this.database.reader('system').$queryRaw<Pick<LiveNote, 'turnId'>[]>`
      SELECT turn_id AS "turnId" FROM discord_live_replies
      WHERE person_id = ${personId}::uuid AND closed_at IS NULL`;
    return notes.map(({ turnId }) => turnId);
  }

  /** Reads notes that were begun before this time and that nobody has closed. */
  async openedBefore(before: Date): Promise<LiveNote[]> {
    return this.database.reader('system').$queryRaw<LiveNote[]>`
      SELECT ${COLUMNS} FROM discord_live_replies WHERE started_at < ${before} AND closed_at IS NULL LIMIT 50`;
  }

  /**
   * Tells when the first note is due: an open one so long after it was begun (`staleMs`), a closed one when its words
   * (`wordsMs`) or it itself (`closedMs`) are to go.
   */
  async nextDue(after: { staleMs: number; wordsMs: number; closedMs: number }): Promise<Date | null> {
    const [next] = await this.database.reader('system').$queryRaw<[{ due: Date | null }]>`
      SELECT min(CASE
        WHEN closed_at IS NULL THEN started_at + ${after.staleMs} * interval '1 millisecond'
        WHEN opening IS NULL AND final_texts <> '{}' THEN closed_at + ${after.wordsMs} * interval '1 millisecond'
        ELSE closed_at + ${after.closedMs} * interval '1 millisecond'
      END) AS due FROM discord_live_replies`;
    return next.due;
  }

  /** Deletes the notes of channels that are out of reach. */
  async dropIn(channelIds: readonly string[]): Promise<void> {
    await this.database.writer('system').$executeRaw`
      DELETE FROM discord_live_replies WHERE channel_id = ANY (${[...channelIds]}::text[])`;
  }

  /**
   * Deletes the words of notes that were closed before this time and whose messages are known: the messages are found
   * without them, and no edit is under way any more.
   */
  async dropWords(closedBefore: Date): Promise<void> {
    await this.database.writer('system').$executeRaw`
      UPDATE discord_live_replies SET final_texts = '{}'
      WHERE closed_at < ${closedBefore} AND opening IS NULL AND final_texts <> '{}'`;
  }

  /** Deletes the notes that were closed before this time. */
  async dropClosed(before: Date): Promise<void> {
    await this.database.writer('system').$executeRaw`
      DELETE FROM discord_live_replies WHERE closed_at < ${before}`;
  }
}
