import type { OutreachSettings } from '@kith/contracts';
import { columnOf, liesAhead, sql, type Database, type TurnLedger, type Writer } from '@kith/database';
import { channelOf } from '../decision/choose-place.js';
import type { NoticedReason } from '../reasons/notice-reasons.js';
import { ANSWER_WITHIN_MS, endAttempt } from './end-attempt.js';
import { endConsent } from './end-consent.js';
import { type EndedTurn, keepNoticed, type NoticedTurn, unsay, withStoredTimes } from './noticed-reasons.js';
import { IS_UNPLACED, placeAgain } from './place-again.js';
import { ensureSettings, lockSettings } from './stored-settings.js';

/** Ended turns in Postgres: that people spoke, the reasons they gave, and how outreach ended. */
export class TurnRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
    /** Defaults of a person without settings. */
    private readonly defaults: OutreachSettings,
  ) {}

  /**
   * Records ended turns, each once and all in one transaction: that a person spoke and what they asked for, or how an
   * outreach ended. Returns the number of new requests of each.
   * @throws AppError `unavailable` where the time zone of one of their people has changed since they were read
   */
  async handle(ended: readonly NoticedTurn[], now: Date): Promise<number[]> {
    const inOrder = ended.toSorted((a, b) => (a.turn.personId < b.turn.personId ? -1 : 1));
    const kept = new Map<EndedTurn, number>();
    await this.ledger.handle(
      inOrder.map(({ turn }) => turn.personId),
      async (people, tx) => {
        const note = () =>
          Promise.all(inOrder.map(({ turn }) => people.of(turn.personId, (its) => this.note(its, turn))));
        const hasMore = ({ turn, noticed, silencedAt = null }: NoticedTurn) =>
          turn.origin === 'outreach' || noticed.length > 0 || silencedAt !== null;
        // Most turns give no reason, and then this is the last statement.
        const isNew = await (inOrder.some(hasMore) ? note() : tx.last(note));
        for (const read of inOrder.filter((one, n) => isNew[n] && hasMore(one))) {
          const { turn } = read;
          if (turn.origin === 'outreach') await people.of(turn.personId, (its) => endAttempt(its, turn));
          else kept.set(turn, await keepNoticed((give) => people.of(turn.personId, give), read, now));
          const { silencedAt } = read;
          if (silencedAt) await people.of(turn.personId, (its) => endConsent(its, turn.personId, silencedAt));
        }
      },
    );
    return ended.map(({ turn }) => kept.get(turn) ?? 0);
  }

  /**
   * Updates the open reasons of a turn that is read again, and ends consent that is older where it asks for that now.
   * @param outdated reasons that its former words gave
   * @throws AppError `unavailable` where the person's time zone has changed since it was read
   */
  async handleAgain(read: NoticedTurn, outdated: readonly NoticedReason[], now: Date): Promise<void> {
    const { personId } = read.turn;
    await this.database.asPerson(personId, async (tx) => {
      // A change of the time zone ends before this.
      await lockSettings(tx, personId);
      const given = await withStoredTimes(tx, read, outdated);
      await unsay(tx, read.turn, given);
      await keepNoticed((give) => give(tx), { ...read, noticed: given.noticed }, now);
      if (read.silencedAt) await endConsent(tx, personId, read.silencedAt);
    });
  }

  /** Lists the turns of a person with open reasons that are to be placed again. */
  unplacedTurns(personId: string): Promise<string[]> {
    return columnOf(this.database.reader({ personId }))`
      SELECT DISTINCT turn_id FROM intentions AS one
      WHERE person_id = ${personId}::uuid AND turn_id IS NOT NULL AND ${IS_UNPLACED}`;
  }

  /** Places the reasons of these turns again, in one transaction, as `placeAgain` does. */
  placeAgain(personId: string, turnIds: readonly string[], read: readonly NoticedTurn[]): Promise<void> {
    return this.database.asPerson(personId, (tx) => placeAgain(tx, personId, turnIds, read));
  }

  /** Finds which of these turns gave promises that are open. */
  promisedIn(turnIds: readonly string[]): Promise<string[]> {
    return columnOf(this.database.reader('system'))`
      SELECT DISTINCT turn_id::text FROM intentions
      WHERE turn_id = ANY (${[...turnIds]}::uuid[]) AND kind = 'promise' AND status = 'open'`;
  }

  /** Reads the time zones in which these people mean the times they name. */
  async timeZonesOf(personIds: readonly string[]): Promise<(personId: string) => string> {
    const rows = await this.database.reader('system').$queryRaw<{ personId: string; timeZone: string }[]>`
      SELECT person_id AS "personId", time_zone AS "timeZone" FROM outreach_settings
      WHERE person_id = ANY (${[...personIds]}::uuid[])`;
    const zones = new Map(rows.map(({ personId, timeZone }) => [personId, timeZone]));
    return (personId) => zones.get(personId) ?? this.defaults.timeZone;
  }

  /** Records the turn, and what it says about its person. Returns whether it was new. */
  private async note(tx: Writer, turn: EndedTurn): Promise<boolean> {
    const { personId } = turn;
    if (turn.origin === 'outreach') return this.ledger.note(tx, turn);
    const [, [row]] = await Promise.all([
      ensureSettings(tx, personId, this.defaults),
      this.noteSpoken(tx, turn),
    ]);
    return row?.isNew === true;
  }

  /**
   * Records that the person spoke: outreach counts as answered, and a door reaches them. A late older turn changes
   * nothing, nor does a repeated one.
   */
  private async noteSpoken(tx: Writer, turn: EndedTurn): Promise<{ isNew: boolean }[]> {
    const { personId, companionId, audience, endedAt } = turn;
    const isLater = sql`(last_spoke_at IS NULL OR last_spoke_at < ${endedAt}::timestamptz
      OR ${liesAhead(sql`last_spoke_at`)})`;
    return tx.$queryRaw<{ isNew: boolean }[]>`
      WITH noted AS (${this.ledger.noting(personId, [turn])}), spoke AS (
        UPDATE outreach_settings
        SET last_spoke_at = CASE WHEN ${isLater} THEN ${endedAt}::timestamptz ELSE last_spoke_at END,
          last_companion_id = CASE WHEN ${isLater} THEN ${companionId} ELSE last_companion_id END,
          unanswered = CASE WHEN ${isLater} THEN 0 ELSE unanswered END,
          unreachable = CASE WHEN ${isLater} THEN NULL ELSE unreachable END,
          -- Where they were just answered, they can be written to.
          channel_problem = CASE WHEN channel_id = ${channelOf(audience)} THEN NULL ELSE channel_problem END
        FROM noted WHERE person_id = ${personId}::uuid
      ), answered AS (
        UPDATE outreach_attempts SET answered_at = ${endedAt}
        FROM noted WHERE person_id = ${personId}::uuid AND status = 'sent' AND answered_at IS NULL
          AND decided_at >= ${new Date(endedAt.getTime() - ANSWER_WITHIN_MS)} AND decided_at < ${endedAt}
      )
      SELECT EXISTS (SELECT 1 FROM noted) AS "isNew"`;
  }
}
