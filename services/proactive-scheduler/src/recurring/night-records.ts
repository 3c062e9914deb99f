import type { RecurringJobName } from '@kith/contracts';
import type { CompanionDayModel, Database, Tx } from '@kith/database';
import { type CalendarDay, MOST_NIGHTS } from './nights-due.js';

/** Each companion's calendar, and how far each nightly job is in it. It is about no person. */
export class NightRecords {
  constructor(private readonly database: Database) {}

  /**
   * Enters days into a companion's calendar, as `plan` says by its last one, and returns the latest of it, the oldest
   * first. One calendar at a time: what two enter at once would not meet.
   */
  enter(companionId: string, plan: (last: CalendarDay | null) => CalendarDay[]): Promise<CalendarDay[]> {
    return this.database.asSystem(async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`calendar:${companionId}`}, 0))`;
      const known = await latestOf(tx, companionId);
      const entered = plan(known.at(-1) ?? null);
      await tx.companionDay.createMany({
        data: entered.map(({ day, from, to }) => ({
          ...{ companionId, day: new Date(day), beginsAt: from, endsAt: to },
        })),
      });
      return [...known, ...entered].slice(-MOST_NIGHTS);
    });
  }

  /** The day that a moment counts to; null when that is not over yet. */
  async dayOf(companionId: string, at: Date): Promise<CalendarDay | null> {
    const row = await this.database.asSystem((tx) =>
      tx.companionDay.findFirst({ where: { companionId, beginsAt: { lte: at }, endsAt: { gt: at } } }),
    );
    return row && calendarDay(row);
  }

  /** The last day of a companion's that a job is done with. */
  async lastDone(job: RecurringJobName, companionId: string): Promise<string | null> {
    const row = await this.database.asSystem((tx) =>
      tx.companionNight.findUnique({ where: { job_companionId: { job, companionId } } }),
    );
    return row && isoDay(row.lastDay);
  }

  async doneWith(job: RecurringJobName, companionId: string, day: string): Promise<void> {
    const lastDay = new Date(day);
    await this.database.asSystem((tx) =>
      tx.companionNight.upsert({
        where: { job_companionId: { job, companionId } },
        create: { job, companionId, lastDay },
        update: { lastDay },
      }),
    );
  }

  /** The latest day that each nightly job is done with for some companion, by name. */
  async latestDone(): Promise<Map<string, string>> {
    const rows = await this.database.asSystem((tx) =>
      tx.companionNight.groupBy({ by: ['job'], _max: { lastDay: true } }),
    );
    return new Map(rows.flatMap(({ job, _max }) => (_max.lastDay ? [[job, isoDay(_max.lastDay)]] : [])));
  }
}

async function latestOf(tx: Tx, companionId: string): Promise<CalendarDay[]> {
  const rows = await tx.companionDay.findMany({
    where: { companionId },
    orderBy: { day: 'desc' },
    take: MOST_NIGHTS,
  });
  return rows.reverse().map(calendarDay);
}

function calendarDay({ day, beginsAt, endsAt }: CompanionDayModel): CalendarDay {
  return { day: isoDay(day), from: beginsAt, to: endsAt };
}

function isoDay(day: Date): string {
  return day.toISOString().slice(0, 10);
}
