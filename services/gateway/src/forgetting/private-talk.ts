import { memoryContract, type Privacy } from '@kith/contracts';
import { columnOf, isOverdue, sql, type Database, type Tx } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { deleteCallsWhere } from '../redaction/delete-calls.js';
import { lockReplies, outdateReplies } from '../redaction/empty-lines.js';
import type { OrderLocks } from './order-locks.js';
import { OVERDUE_MS, ResumeRounds } from './resume-rounds.js';

/** Time to wait while a change for the same person is carried out: two questions to memory. */
const WAIT_MS = 3_000;
/** People of one round: each costs a question, and the next round is seconds away. */
const OPEN_LIMIT = 50;

/** State that the gateway has noted of a person's private talk. */
interface NotedPrivacy {
  isPrivate: boolean;
  /** A change was asked for, and memory has not confirmed it. */
  isAsked: boolean;
}

/**
 * Switches private talk, which is not remembered, on and off in memory and in the transcript. Memory decides. The gateway
 * begins first and ends last, so an interrupted change withholds talk for too long but never tells it. A change is noted
 * before it begins; the next question or change, or the sweeper, completes it. If memory then says that nothing is
 * private, the withheld lines are emptied, as at any end.
 */
export class PrivateTalk {
  private readonly rounds = new ResumeRounds<string>({
    limit: OPEN_LIMIT,
    keyOf: (personId) => personId,
    find: (after, limit) => this.openAfter(after, limit),
    carryOut: (personId) => this.locks.alone(personId, 0, () => this.bringInLine(personId)),
    onFailure: (error, personId) =>
      this.logger.warn(
        { err: error, personId },
        'a change to private talk has not reached every service yet; the sweeper will try again',
      ),
  });

  constructor(
    private readonly database: Database,
    private readonly locks: OrderLocks,
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly tellOpenPages: (personId: string) => void,
    private readonly logger: Logger,
  ) {}

  /**
   * Changes whether a person talks in private, if asked to, and returns how it is. Only their own prompts hold private
   * talk, and its lines are emptied when it ends. Safe to repeat.
   * @throws AppError `unavailable` without memory: once it is back, a change that had begun becomes what memory says
   */
  async set(personId: string, isPrivate: boolean | undefined): Promise<Privacy> {
    if (isPrivate !== undefined)
      return this.locks.alone(personId, WAIT_MS, () => this.change(personId, isPrivate));
    const privacy = await this.messenger.ask(memoryContract.privacy, { personId });
    const { isAsked, isPrivate: isWithheld } = await this.notedOf(personId);
    if (!isAsked && isWithheld === privacy.private) return privacy;
    return this.locks.alone(personId, WAIT_MS, () => this.bringInLine(personId));
  }

  /** Brings the gateway in line with memory after interrupted changes. Returns the number of people it has tried. */
  async resume(): Promise<number> {
    return (await this.rounds.next()).length;
  }

  private openAfter(after: string, limit: number): Promise<string[]> {
    return columnOf(this.database.reader('system'))`
      SELECT person_id FROM people
      WHERE privacy_asked_at IS NOT NULL AND ${isOverdue(sql`privacy_asked_at`, OVERDUE_MS)}
        AND person_id::text > ${after}
      ORDER BY person_id::text LIMIT ${limit}`;
  }

  private async change(personId: string, isPrivate: boolean): Promise<Privacy> {
    const before = await this.bringInLine(personId);
    if (before.private === isPrivate) return before;
    await this.database.asSystem((tx) =>
      tx.person.updateMany({ where: { id: personId }, data: { privacyAskedAt: new Date() } }),
    );
    if (isPrivate) await this.begin(personId, null);
    return this.follow(
      personId,
      await this.messenger.ask(memoryContract.privacy, { personId, private: isPrivate }),
    );
  }

  private async bringInLine(personId: string): Promise<Privacy> {
    return this.follow(personId, await this.messenger.ask(memoryContract.privacy, { personId }));
  }

  /** Begins or ends withholding as memory says, and notes that the two agree. */
  private async follow(personId: string, privacy: Privacy): Promise<Privacy> {
    const noted = await this.notedOf(personId);
    if (noted.isPrivate !== privacy.private) {
      if (privacy.since !== null) await this.begin(personId, new Date(privacy.since));
      else await this.end(personId);
    } else if (noted.isAsked)
      await this.database.asSystem(async (tx) => {
        await outdateReplies(tx, personId, []);
        await emptyEnded(tx, personId);
      });
    if (noted.isAsked)
      await this.database.asSystem((tx) =>
        tx.person.updateMany({ where: { id: personId }, data: { privacyAskedAt: null } }),
      );
    if (noted.isAsked || noted.isPrivate !== privacy.private) this.tellOpenPages(personId);
    return privacy;
  }

  private async notedOf(personId: string): Promise<NotedPrivacy> {
    const [noted] = await this.database.reader('system').$queryRaw<NotedPrivacy[]>`
      SELECT private_from IS NOT NULL AS "isPrivate", privacy_asked_at IS NOT NULL AS "isAsked"
      FROM people WHERE person_id = ${personId}::uuid`;
    return noted ?? { isPrivate: false, isAsked: false };
  }

  /** Withholds lines from a time on; null: from now on. */
  private async begin(personId: string, from: Date | null): Promise<void> {
    await this.database.asSystem(async (tx) => {
      const said = await columnOf(tx)`
        SELECT DISTINCT conversation_id::text FROM turns
        WHERE person_id = ${personId}::uuid AND ended_at >= coalesce(${from}::timestamptz, now())`;
      await outdateReplies(tx, personId, said);
      const [begun] = await tx.$queryRaw<{ since: Date }[]>`
        UPDATE people SET private_from = coalesce(${from}::timestamptz, now())
        WHERE person_id = ${personId}::uuid AND private_from IS NULL
        RETURNING private_from AS since`;
      if (!begun) return;
      const { since } = begun;
      // Lines of the time between memory's change and this one.
      await tx.$executeRaw`
        UPDATE transcript AS line SET withheld = 'private' FROM turns
        WHERE turns.person_id = ${personId}::uuid AND turns.ended_at >= ${since} AND line.turn_id = turns.turn_id
          AND (line.at >= ${since} OR turns.started_at >= ${since}) AND line.withheld IS NULL`;
    });
  }

  private async end(personId: string): Promise<void> {
    await this.database.asSystem(async (tx) => {
      // No conversation's lines: only the person's own prompts held private talk.
      await outdateReplies(tx, personId, []);
      // A beginning by another clock may lie ahead of this one.
      await tx.$executeRaw`
        UPDATE people SET private_from = NULL, private_ended =
          private_ended + tstzmultirange(tstzrange(private_from, greatest(private_from, ${new Date()})))
        WHERE person_id = ${personId}::uuid AND private_from IS NOT NULL`;
      await emptyEnded(tx, personId);
    });
  }
}

/** Empties what was said in private talk that has ended: also where a restore has brought it back since. */
async function emptyEnded(tx: Tx, personId: string): Promise<void> {
  const isOver = sql`people.person_id = ${personId}::uuid
    AND (private_from IS NULL OR turns.ended_at <= private_from)`;
  await lockReplies(
    tx,
    sql`withheld = 'private' AND text <> ''
      AND turn_id IN (SELECT turn_id FROM turns JOIN people USING (person_id) WHERE ${isOver})`,
  );
  await tx.$executeRaw`
    WITH ended AS (
      UPDATE transcript AS line SET text = '' FROM turns JOIN people USING (person_id)
      WHERE ${isOver} AND line.turn_id = turns.turn_id
        AND line.withheld = 'private' AND line.text <> ''
      RETURNING line.turn_id
    ), said AS (
      -- Also messages without a line, which a hook refused or nobody could answer.
      UPDATE inbox SET text = '' FROM people
      WHERE people.person_id = ${personId}::uuid AND inbox.person_id = people.person_id AND outcome IS NOT NULL
        AND inbox.text <> ''
        AND (inbox.sent_at <@ private_ended OR inbox.turn_id IN (SELECT turn_id FROM ended))
    ), called AS (
      DELETE FROM tool_calls WHERE turn_id IN (SELECT turn_id FROM ended)
    )
    UPDATE outbox SET text = '' FROM ended
    WHERE outbox.turn_id = ended.turn_id AND outbox.status <> 'pending'`;
  await deleteCallsWhere(
    tx,
    sql`person_id = ${personId}::uuid AND EXISTS (
      SELECT FROM people WHERE people.person_id = tool_calls.person_id AND tool_calls.asked_at <@ private_ended)`,
  );
}
