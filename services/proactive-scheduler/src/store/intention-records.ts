import { DAY_MS, type Audience, type outreachContract, type RequestOutput } from '@kith/contracts';
import {
  liesAhead,
  sql,
  toJsonb,
  type Database,
  type IntentionModel,
  type TurnLedger,
  type Tx,
} from '@kith/database';
import { audienceOf, channelOf } from '../decision/choose-place.js';
import { isOverdue, overdueBefore } from '../decision/decide-outreach.js';
import { nextYearly } from '../decision/next-yearly.js';
import { planIntention, TASK_SOURCE, type GivenIntention } from '../decision/plan-intention.js';
import { lockSettings } from './stored-settings.js';

/** The companion's own reason to write, and its source: a memory or a need. */
export interface OwnReason {
  kind: 'interest' | 'need';
  about: string;
  source: string;
  /** The audience that may hear of it; null when nobody told it. */
  audience: Audience | null;
}

/**
 * Time after which a memory comes up again that was dropped unsaid, such as for a cap that requests took up. Until then
 * others do: one of a topic that its person ruled out would be chosen each time.
 */
const DROPPED_FOR_MS = 60 * DAY_MS;

/** Somebody who may be asked about something of theirs, by the companion they spoke with last. */
export interface PersonToThinkOf {
  personId: string;
  companionId: string;
  timeZone: string;
  /** Audience of the widest place where they may be written to. */
  listener: Audience;
}

/** Reasons to write first, in Postgres. Each method is one transaction. */
export class IntentionRecords {
  constructor(
    private readonly database: Database,
    private readonly ledger: TurnLedger,
  ) {}

  /**
   * Lists people who may be asked about something of theirs: they opted in and spoke lately. Without those who had a reason
   * of this kind within a time, or will have one within it that they did not ask for. One that was noted by a clock that
   * was ahead holds nobody up.
   */
  peopleToThinkOf(
    now: Date,
    { spokeWithinMs, oneInMs }: { spokeWithinMs: number; oneInMs: number },
  ): Promise<PersonToThinkOf[]> {
    const [spokeAfter, idleSince, soon] = [-spokeWithinMs, -oneInMs, oneInMs].map(
      (ms) => new Date(now.getTime() + ms),
    );
    return this.database.read('system', async (tx) => {
      const people = await tx.$queryRaw<
        { personId: string; companionId: string; timeZone: string; channelId: string | null }[]
      >`
        SELECT person_id AS "personId", last_companion_id AS "companionId", time_zone AS "timeZone",
          CASE WHEN NOT direct THEN channel_id END AS "channelId"
        FROM outreach_settings AS settings
        WHERE opted_in AND age_state <> 'minor' AND unreachable IS NULL AND last_spoke_at >= ${spokeAfter}
          AND last_companion_id IS NOT NULL AND NOT EXISTS (
            SELECT 1 FROM intentions WHERE person_id = settings.person_id AND NOT (${liesAhead(sql`created_at`)})
              AND due_at < ${soon} AND (status = 'open' AND kind NOT IN ('promise', 'request', 'date')
                OR kind IN ('interest', 'need') AND created_at >= ${idleSince}))`;
      return people.map(({ channelId, ...person }) => ({
        ...person,
        listener: channelId === null ? 'direct' : audienceOf(channelId),
      }));
    });
  }

  /** Lists the memories that a person was asked about, or is about to be, or lately was to be. */
  async askedAbout(personId: string, now: Date): Promise<Set<string>> {
    const lately = { createdAt: { gte: new Date(now.getTime() - DROPPED_FOR_MS) } };
    const where = { personId, kind: 'interest', OR: [{ status: { not: 'dropped' } }, lately] };
    const rows = await this.database.asPerson(personId, (tx) =>
      tx.intention.findMany({ where, select: { sources: true } }),
    );
    return new Set(rows.flatMap(({ sources }) => sources.map((source) => source.replace(/^memory:/, ''))));
  }

  /**
   * Removes reasons told to this audience or from these messages, with their attempts and those for this place. Later
   * jobs store nothing of these turns.
   */
  forgetPlace({
    audience,
    messageIds,
    turns,
  }: RequestOutput<typeof outreachContract.forgetPlace>): Promise<void> {
    return this.database.asSystem(async (tx) => {
      // First, so that whoever is reading one of these turns ends before this, or stores nothing of it.
      await this.ledger.noteGone(tx, turns);
      const ofThem = { sources: { hasSome: messageIds.map((id) => `message:${id}`) } };
      const where = { OR: [{ audience }, ofThem] };
      const told = await tx.intention.findMany({ where, select: { id: true } });
      const channelId = channelOf(audience);
      await tx.outreachAttempt.deleteMany({
        where: {
          OR: [
            { intentionId: { in: told.map(({ id }) => id) } },
            ofThem,
            ...(channelId === null ? [] : [{ channelId }]),
          ],
        },
      });
      await tx.intention.deleteMany({ where });
    });
  }

  /**
   * Stores a reason of the companion's own, where the person still allows it. Returns whether it was stored.
   * @param isStillKnown tells whether the source still says so; asked while nothing of the person's is forgotten here:
   *   memory forgets it first
   */
  keepOwn(
    { personId, companionId }: { personId: string; companionId: string },
    { kind, about, source, audience }: OwnReason,
    dueAt: Date,
    isStillKnown: () => Promise<boolean>,
  ): Promise<boolean> {
    return this.database.asPerson(personId, async (tx) => {
      if (!(await isAllowed(tx, personId)) || !(await isStillKnown())) return false;
      await tx.intention.create({
        data: {
          personId,
          companionId,
          about,
          dueAt,
          kind,
          audience,
          exact: false,
          sources: { set: [source] },
        },
      });
      return true;
    });
  }

  /**
   * Stores what a companion thought of by itself. Returns null, or why it was refused.
   * @param whyNot tells why its source is no reason any more; called as `isStillKnown` of `keepOwn` is
   */
  intend(
    { personId, companionId }: { personId: string; companionId: string },
    given: GivenIntention,
    now: Date,
    whyNot: () => Promise<string | null>,
  ): Promise<string | null> {
    return this.database.asPerson(personId, async (tx) => {
      const isOptedIn = await isAllowed(tx, personId);
      const tasks = given.sources.filter((source) => source.startsWith(TASK_SOURCE));
      const ofIt = [{ sources: { hasSome: tasks } }, { about: given.about }];
      const said = { status: 'done', OR: ofIt };
      const known = await tx.intention.findMany({ where: { personId, OR: [{ status: 'open' }, said] } });
      const plan = planIntention(known, given, { isOptedIn, now });
      if (plan.kind === 'refuse') return plan.why;
      const why = await whyNot();
      if (why !== null) return why;
      if (plan.kind === 'update') {
        const { id, about, dueAt, sources } = plan;
        await tx.intention.updateMany({
          where: { id, status: 'open' },
          data: { about, dueAt, sources: { set: sources } },
        });
        return null;
      }
      const { about, dueAt, exact, sources } = given;
      await tx.intention.create({
        data: {
          personId,
          companionId,
          about,
          dueAt,
          exact,
          sources: { set: sources },
          kind: 'interest',
          // A companion thinks by itself of what was said between the two alone: no channel may hear of it.
          audience: 'direct',
        },
      });
      return null;
    });
  }

  /** Drops all overdue reasons. One that comes every year is moved to the next year. Returns the number dropped. */
  dropOverdue(now: Date): Promise<number> {
    return this.database.write('system', async (tx) => {
      // Compared here by people's own days, because Postgres does not know all of their time zones.
      const days = await tx.$queryRaw<
        { id: string; dueAt: Date; yearly: boolean; leapDay: boolean; timeZone: string }[]
      >`
        SELECT id, due_at AS "dueAt", yearly, leap_day AS "leapDay", time_zone AS "timeZone"
        FROM intentions JOIN outreach_settings USING (person_id)
        WHERE status = 'open' AND kind = 'date' AND due_at < ${now}`;
      const over = days.filter(({ dueAt, timeZone }) => isOverdue({ kind: 'date', dueAt }, now, timeZone));
      const next = over
        .filter(({ yearly }) => yearly)
        .map((day) => ({ id: day.id, at: nextYearly(day, now, day.timeZone) }));
      const [, dropped] = await Promise.all([
        tx.$executeRaw`
          UPDATE intentions AS over SET due_at = next.at
          FROM jsonb_to_recordset(${toJsonb(next)}::jsonb) AS next (id uuid, at timestamptz)
          WHERE over.id = next.id AND status = 'open' AND NOT EXISTS (
            -- The next year's was opened when this one was decided on, before its attempt failed.
            SELECT 1 FROM intentions AS known
            WHERE known.turn_id = over.turn_id AND known.about = over.about AND known.due_at = next.at)`,
        tx.$executeRaw`
          UPDATE intentions SET status = 'dropped' WHERE status = 'open'
            AND (due_at < ${overdueBefore(now)} OR due_at < ${now} AND id = ANY (${over.map(({ id }) => id)}::uuid[]))`,
      ]);
      return dropped;
    });
  }
}

/** Tells whether the person opted in. Locks their settings, so that an opt-out sees and drops what is stored here. */
async function isAllowed(tx: Tx, personId: string): Promise<boolean> {
  await lockSettings(tx, personId);
  const settings = await tx.outreachSetting.findUnique({ where: { personId } });
  return settings?.optedIn === true;
}

/** Opens a yearly reason for the next year, by the person's calendar. */
export async function openNextYear(tx: Tx, row: IntentionModel, now: Date, timeZone: string): Promise<void> {
  const { id: _, status: __, ...same } = row;
  const dueAt = nextYearly(row, now, timeZone);
  await tx.intention.createMany({ data: [{ ...same, dueAt }], skipDuplicates: true });
}
