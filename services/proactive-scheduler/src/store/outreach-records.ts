import { DAY_MS, type OutreachSettings, present } from '@kith/contracts';
import { columnOf, type Database, type LeftPlaces } from '@kith/database';
import { decideOutreach, LAST_CALL_MS, MAX_RETRY_WAIT_MS } from '../decision/decide-outreach.js';
import type { QuietHours } from '../decision/quiet-hours.js';
import { reasonForPerson, reasonForPrompt } from '../reasons/reason-words.js';
import { openNextYear } from './intention-records.js';
import { loadSituation, tellable, tellableAttempts } from './load-situation.js';
import { lockSettings } from './stored-settings.js';

/** Size of a page; more attempts are read by cursor. */
const SHOWN_INTENTIONS = 50;
const SHOWN_ATTEMPTS = 20;

/** Situations and decisions in Postgres, across settings, intentions and attempts. Each method is one transaction. */
export class OutreachRecords {
  constructor(
    private readonly database: Database,
    private readonly left: Pick<LeftPlaces, 'read'>,
    /** Defaults of a person without settings. */
    private readonly defaults: OutreachSettings,
  ) {}

  /** Loads the settings, open reasons and recent attempts of a person. Everything is off for an unknown person. */
  overview(personId: string, now: Date) {
    return this.database.asPerson(personId, async (tx) => {
      const situation = await loadSituation(tx, this.left, this.defaults, { personId, now, isBusy: false });
      return {
        situation,
        intentions: await tx.intention.findMany({
          where: { personId, ...(await tellable(tx, this.left)) },
          // By the alphabet the open ones come first: however many were dropped, each that is in mind is shown.
          orderBy: [{ status: 'desc' }, { dueAt: 'desc' }, { id: 'desc' }],
          take: SHOWN_INTENTIONS,
        }),
        recent: await tx.outreachAttempt.findMany({
          where: { personId, ...(await tellableAttempts(tx, this.left, personId)) },
          orderBy: [{ decidedAt: 'desc' }, { id: 'desc' }],
          take: SHOWN_ATTEMPTS,
        }),
      };
    });
  }

  /** Returns the time zone of a person. */
  async timeZoneOf(personId: string): Promise<string> {
    const [known] = await this.database.reader({ personId }).$queryRaw<{ timeZone: string }[]>`
      SELECT time_zone AS "timeZone" FROM outreach_settings WHERE person_id = ${personId}::uuid`;
    return known?.timeZone ?? this.defaults.timeZone;
  }

  /** Lists the quiet hours of all people who opted in, each once. */
  async quietHours(): Promise<QuietHours[]> {
    return this.database.reader('system').$queryRaw<QuietHours[]>`
      SELECT DISTINCT time_zone AS "timeZone", quiet_from AS "quietFrom", quiet_until AS "quietUntil"
      FROM outreach_settings WHERE opted_in`;
  }

  /** Reads the quiet hours of those of these people who opted in. */
  async quietHoursOf(personIds: readonly string[]): Promise<(personId: string) => QuietHours | undefined> {
    if (personIds.length === 0) return () => undefined;
    const rows = await this.database.reader('system').$queryRaw<({ personId: string } & QuietHours)[]>`
      SELECT person_id AS "personId", time_zone AS "timeZone", quiet_from AS "quietFrom", quiet_until AS "quietUntil"
      FROM outreach_settings WHERE opted_in AND person_id = ANY (${[...new Set(personIds)]}::uuid[])`;
    const hours = new Map(rows.map((row) => [row.personId, row]));
    return (personId) => hours.get(personId);
  }

  /**
   * Lists opted-in people with a reason that is due, or due so soon that quiet hours may begin before the next scan, or
   * with a task or a day that matters, which may fall due in those hours.
   */
  peopleWithDueReason(now: Date): Promise<string[]> {
    return this.database.read('system', async (reader) => {
      const left = await this.left.read(reader);
      return columnOf(reader)`
        SELECT DISTINCT person_id FROM intentions JOIN outreach_settings USING (person_id)
        WHERE status = 'open' AND due_at <= ${new Date(now.getTime() + DAY_MS)} AND opted_in
          AND (due_at <= ${new Date(now.getTime() + LAST_CALL_MS)} OR kind = 'interest' AND exact OR kind = 'date')
          AND (not_before IS NULL OR not_before <= ${now}
            OR not_before > ${new Date(now.getTime() + MAX_RETRY_WAIT_MS)})
          AND (audience IS NULL OR audience <> ALL (${left}::text[]))`;
    });
  }

  /**
   * Decides on one person. To reach out, it writes the attempt and closes the intention in the same transaction, and
   * opens a yearly one for the next year. The settings row is locked, so that another replica, or a person opting out,
   * waits.
   * @param isBusy something of theirs is under way at the gateway
   */
  decideFor(personId: string, now: Date, isBusy: boolean) {
    return this.database.asPerson(personId, async (tx) => {
      await lockSettings(tx, personId);
      const situation = await loadSituation(tx, this.left, this.defaults, { personId, now, isBusy });
      const { settings } = situation;
      const decision = decideOutreach(situation);
      if (decision.kind === 'wait') return { decision };
      const { intention } = decision;
      const row = present(situation.intentions.find(({ id }) => id === intention.id));
      await tx.intention.update({ where: { id: row.id }, data: { status: 'done' } });
      if (row.yearly) await openNextYear(tx, row, now, settings.timeZone);
      const attempt = await tx.outreachAttempt.create({
        data: {
          ...decision.place,
          personId,
          companionId: row.companionId,
          intentionId: row.id,
          kind: row.kind,
          sources: { set: row.sources },
          decidedAt: now,
          reason: reasonForPrompt(intention, settings.timeZone),
          because: reasonForPerson(intention, settings.timeZone),
        },
      });
      return { decision, attempt };
    });
  }

  /** Removes reasons and attempts that ended before this time. Returns the number of rows. */
  async letGo(endedBefore: Date): Promise<number> {
    const [intentions, attempts] = await this.database.write('system', (tx) =>
      Promise.all([
        tx.$executeRaw`DELETE FROM intentions WHERE status IN ('done', 'dropped') AND due_at < ${endedBefore}`,
        tx.$executeRaw`
          DELETE FROM outreach_attempts WHERE status IN ('sent', 'failed') AND decided_at < ${endedBefore}`,
      ]),
    );
    return intentions + attempts;
  }
}
