import { Prisma, type Database } from '@kith/database';

/** A turn, and whom it answers. */
export interface LiveTurn {
  turnId: string;
  personId: string | null;
}

/** What is noted of a reply that is shown while it is written. */
export interface LiveNote extends LiveTurn {
  channelId: string;
  replyTo: string | null;
  /** Null while it is not known whether it arrived. */
  messageId: string | null;
  /** The words it was sent with; null when nothing was sent, it is gone, or they are not needed any more. */
  opening: string | null;
  startedAt: Date;
  closedAt: Date | null;
  /** What it became, for as long as an edit may still be under way; null when it became no reply. */
  finalText: string | null;
}

const COLUMNS =
  Prisma.raw(`turn_id AS "turnId", person_id AS "personId", channel_id AS "channelId", reply_to AS "replyTo",
  message_id AS "messageId", opening, started_at AS "startedAt", closed_at AS "closedAt", final_text AS "finalText"`);

/**
 * The notes by which bot processes agree on a turn's live message: one opens it before anything is sent, whoever
 * delivers the reply (or takes the message back) closes it, and from then on nobody shows more.
 */
export class LiveNotes {
  constructor(private readonly database: Database) {}

  /** Notes that a live message is about to be sent. Null: it is closed, or the reply is delivered already. */
  async open(
    note: Pick<LiveNote, 'turnId' | 'personId' | 'channelId' | 'replyTo'> & { opening: string },
  ): Promise<LiveNote | null> {
    const { turnId, personId, channelId, replyTo, opening } = note;
    const rows = await this.database.asSystem(
      (tx) => tx.$queryRaw<LiveNote[]>`
        INSERT INTO discord_live_replies AS live (turn_id, person_id, channel_id, reply_to, opening)
        VALUES (${turnId}::uuid, ${personId}::uuid, ${channelId}, ${replyTo}, ${opening})
        ON CONFLICT (turn_id) DO UPDATE SET opening = COALESCE(live.opening, excluded.opening)
        WHERE live.closed_at IS NULL
        RETURNING ${COLUMNS}`,
    );
    return rows[0] ?? null;
  }

  /** Nobody shows more of it from now on, also when nothing was shown. Returns what is noted of it. */
  async close(
    { turnId, personId }: LiveTurn,
    channelId: string,
    finalText: string | null,
  ): Promise<LiveNote> {
    const [note] = await this.database.asSystem(
      (tx) => tx.$queryRaw<LiveNote[]>`
        INSERT INTO discord_live_replies AS live (turn_id, person_id, channel_id, closed_at, final_text)
        VALUES (${turnId}::uuid, ${personId}::uuid, ${channelId}, now(), ${finalText})
        ON CONFLICT (turn_id) DO UPDATE SET closed_at = now(), final_text = ${finalText}
        RETURNING ${COLUMNS}`,
    );
    return note!;
  }

  async read(turnId: string): Promise<LiveNote | null> {
    return this.database.asSystem((tx) => tx.discordLiveReply.findUnique({ where: { turnId } }));
  }

  /** It arrived as this message. */
  async arrived(turnId: string, messageId: string): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.discordLiveReply.updateMany({ where: { turnId }, data: { messageId } }),
    );
  }

  /** There is no message of it (any more). The note stays, closed. */
  async gone(turnId: string): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.discordLiveReply.updateMany({ where: { turnId }, data: { messageId: null, opening: null } }),
    );
  }

  /** Those begun before this time that nobody has closed. */
  async openSince(before: Date): Promise<LiveNote[]> {
    return this.database.asSystem((tx) =>
      tx.discordLiveReply.findMany({ where: { startedAt: { lt: before }, closedAt: null }, take: 50 }),
    );
  }

  /** Forgets those of these channels, which are out of reach. */
  async dropIn(channelIds: readonly string[]): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.discordLiveReply.deleteMany({ where: { channelId: { in: [...channelIds] } } }),
    );
  }

  /**
   * Lets go of the words of those that were closed before this time and whose message is known, or was never sent: it is
   * found without them, and nobody is left who could show other words in their place.
   */
  async dropWords(closedBefore: Date): Promise<void> {
    await this.database.asSystem(
      (tx) => tx.$executeRaw`
        UPDATE discord_live_replies SET opening = NULL, final_text = NULL
        WHERE closed_at < ${closedBefore} AND (message_id IS NOT NULL OR opening IS NULL)
          AND (opening IS NOT NULL OR final_text IS NOT NULL)`,
    );
  }

  /** Forgets those that were closed before this time. */
  async dropClosed(before: Date): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.discordLiveReply.deleteMany({ where: { closedAt: { lt: before } } }),
    );
  }
}
