import { type CompanionDay, type CompanionView, DAY_MS, firstOf } from '@kith/contracts';
import { type Database, liesAhead, type QuirkModel, sql, type Tx } from '@kith/database';
import { FED_FOR_DAYS, type Quirk } from '../persona/quirk.js';
import type { reflectOnQuirks, ReflectedQuirk } from '../night/reflect-on-quirks.js';
import type { diaryEntry } from '../night/diary-entry.js';
import type { DayEvent } from '../night/self-note.js';
import { lockPeople } from './lock-person.js';

/** A step of a night. Each is done in one transaction together with its mark. */
export type Step = 'quirks' | 'note' | 'diary';

export interface FeltDay {
  /** In order of feeling. */
  events: DayEvent[];
  turns: { turnId: string; personId: string }[];
}

/**
 * The latest day that can be over: where clocks are 14 hours ahead of UTC, and ten minutes for clocks that differ. A later
 * one was reflected on by a clock that was ahead: nobody waits until it has come.
 */
const LATEST_DAY = sql`((now() AT TIME ZONE 'UTC' + interval '14 hours 10 minutes')::date - 1)`;

/** Results of the nights in Postgres: quirks, notes, diary, and the progress of each night. */
export class ReflectionRecords {
  constructor(private readonly database: Database) {}

  /**
   * Runs `work` unless a night of this companion is under way in some process; returns false then. A night over another
   * day counts as well: all of them write the same quirks.
   */
  alone(companionId: string, work: () => Promise<void>): Promise<boolean> {
    return this.database.withLock(`personality.reflect ${companionId}`, work);
  }

  /**
   * Begins a night, or goes on with one that ended halfway; returns the steps that are done, or null where the day lies
   * ahead. A night that was finished writes note and diary again, from what is known by now, and leaves the quirks alone:
   * a day feeds them once, and not at all if a later day has fed them already.
   */
  async begin(companionId: string, day: string): Promise<Set<Step> | null> {
    return this.database.asSystem(async (tx) => {
      const [known] = await tx.$queryRaw<{ isAhead: boolean }[]>`
        SELECT ${day}::date > ${LATEST_DAY} AS "isAhead"`;
      // Nothing is deleted by a clock that is behind.
      if (known?.isAhead) return null;
      await forgetNightsAhead(tx, companionId);
      const rows = await tx.$queryRaw<{ done: Step[] }[]>`
        INSERT INTO reflections (companion_id, day, done)
        VALUES (${companionId}, ${day}::date, CASE WHEN EXISTS (
          SELECT 1 FROM reflections WHERE companion_id = ${companionId} AND day > ${day}::date AND 'quirks' = ANY (done)
        ) THEN ARRAY['quirks'] ELSE ARRAY[]::text[] END)
        ON CONFLICT (companion_id, day) DO UPDATE SET
          done = CASE WHEN reflections.finished_at IS NULL THEN reflections.done ELSE ARRAY['quirks'] END,
          finished_at = NULL
        RETURNING done`;
      const done = new Set(firstOf(rows).done);
      if (!done.has('quirks'))
        await tx.$executeRaw`
          UPDATE quirks SET day = ${day}::date WHERE companion_id = ${companionId} AND day > ${LATEST_DAY}`;
      return done;
    });
  }

  async finish(companionId: string, day: string): Promise<void> {
    await this.database.asSystem((tx) =>
      tx.reflection.update({ where: keyOf(companionId, day), data: { finishedAt: new Date() } }),
    );
  }

  /** Loads what was felt on a day, and in which turns. */
  day(on: CompanionDay): Promise<FeltDay> {
    return this.database.asSystem((tx) => dayIn(tx, on));
  }

  /** The companion's quirks as stored, with those sources that this day gave them. */
  quirks(companionId: string, day: Pick<FeltDay, 'turns'>): Promise<ReflectedQuirk[]> {
    return this.database.asSystem((tx) => quirksIn(tx, companionId, day));
  }

  /** Reads the clock of Postgres, which dates what is forgotten. In whole milliseconds, as in the ledger. */
  async now(): Promise<Date> {
    const rows = await this.database.reader('system').$queryRaw<{ at: Date }[]>`
      SELECT date_trunc('milliseconds', clock_timestamp()) AS at`;
    return firstOf(rows).at;
  }

  /**
   * Saves the quirks after a night. Returns false, with nothing saved, where one of the turns that fed them is not felt any
   * more, or was forgotten or edited since they were read, or where another version of the persona is in force by now.
   * @param companion whose rules the night went by
   * @param readSince a time before they were read: words are taken back at the gateway first, and forgotten here after it
   */
  async saveQuirks(
    { id: companionId, version }: Pick<CompanionView, 'id' | 'version'>,
    day: string,
    { kept, gone }: ReturnType<typeof reflectOnQuirks>,
    readSince: Date,
  ): Promise<boolean> {
    return this.database.asSystem(async (tx) => {
      const fed = kept.flatMap(({ sources }) => sources);
      const turnIds = new Set(fed.map(({ turnId }) => turnId));
      await lockPeople(tx, fed);
      const intact = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM felt_turns WHERE turn_id = ANY (${[...turnIds]}::uuid[]) AND NOT EXISTS (
          SELECT FROM personality_handled_turns AS handled
          WHERE handled.turn_id = felt_turns.turn_id AND handled.at BETWEEN ${readSince} AND clock_timestamp())`;
      if (intact.length < turnIds.size) return false;
      // An edit that comes now waits: it removes seeds that were saved before it, and none that are saved after it.
      const inForce = await tx.$queryRaw<unknown[]>`
        SELECT 1 FROM companions WHERE companion_id = ${companionId} AND version = ${version} FOR SHARE`;
      if (inForce.length === 0) return false;
      for (const { kind, text, audience } of gone)
        await tx.quirk.deleteMany({ where: { companionId, kind, text, audience } });
      for (const { kind, text, audience, strength, origin, sources, ...quirk } of kept) {
        const changed = { strength, day: dateOf(quirk.day) };
        const key = { companionId, kind, text, audience };
        if (sources.length === 0) {
          // It was read before the locks: if all of its sources were forgotten since, it no longer exists.
          await tx.quirk.updateMany({ where: key, data: changed });
          continue;
        }
        const { id } = await tx.quirk.upsert({
          where: { companionId_kind_text_audience: key },
          create: { ...key, origin, ...changed },
          update: changed,
        });
        const rows = sources.map((source) => ({ quirkId: id, ...source }));
        await tx.quirkSource.createMany({ data: rows, skipDuplicates: true });
      }
      await dropFadedSources(tx, companionId, day);
      await mark(tx, companionId, day, 'quirks');
      return true;
    });
  }

  async saveNote(companionId: string, day: string, text: string): Promise<void> {
    await this.database.asSystem(async (tx) => {
      const create = { companionId, day: dateOf(day), text };
      await tx.selfNote.upsert({ where: keyOf(companionId, day), create, update: { text } });
      await mark(tx, companionId, day, 'note');
    });
  }

  /** Saves what `write` makes of the day and its quirks, while nothing that it tells of is forgotten here. */
  async saveDiary(
    on: CompanionDay,
    write: (felt: FeltDay, quirks: readonly ReflectedQuirk[]) => ReturnType<typeof diaryEntry>,
  ): Promise<void> {
    const { companionId, day } = on;
    await this.database.asSystem(async (tx) => {
      const key = { companionId, day: dateOf(day) };
      const { text, sources } = await writtenIn(tx, on, write);
      await tx.diaryEntry.upsert({
        where: keyOf(companionId, day),
        create: { ...key, text },
        update: { text },
      });
      await tx.diarySource.deleteMany({ where: key });
      await tx.diarySource.createMany({ data: sources.map((source) => ({ ...key, ...source })) });
      await mark(tx, companionId, day, 'diary');
    });
  }
}

/**
 * Deletes the sources of habits that no longer feed them: those of what is said every day would grow without end, and so
 * would each list of them. One that is being forgotten meanwhile is left to that.
 */
async function dropFadedSources(tx: Tx, companionId: string, day: string): Promise<void> {
  const fedBefore = new Date(dateOf(day).getTime() - FED_FOR_DAYS * DAY_MS);
  await tx.$executeRaw`
    DELETE FROM quirk_sources WHERE (quirk_id, turn_id) IN (
      SELECT quirk_id, turn_id FROM quirk_sources AS source
      JOIN quirks ON quirks.id = quirk_id JOIN felt_turns USING (turn_id)
      WHERE quirks.companion_id = ${companionId} AND felt_turns.at < ${fedBefore}
      FOR UPDATE OF source SKIP LOCKED)`;
}

/** Deletes what was noted and written by a clock that was ahead: those days are reflected on once they are over. */
async function forgetNightsAhead(tx: Tx, companionId: string): Promise<void> {
  const isAhead = sql`companion_id = ${companionId} AND day > ${LATEST_DAY}`;
  await tx.$executeRaw`
    DELETE FROM reflections WHERE ${isAhead} OR companion_id = ${companionId} AND ${liesAhead(sql`finished_at`)}`;
  await tx.$executeRaw`DELETE FROM diary_entries WHERE ${isAhead}`;
}

/** Writes an entry until everybody whose turns it tells of was locked before it was written. */
async function writtenIn(tx: Tx, on: CompanionDay, write: Parameters<ReflectionRecords['saveDiary']>[1]) {
  const locked = new Set<string>();
  for (;;) {
    const felt = await dayIn(tx, on);
    const quirks = await quirksIn(tx, on.companionId, felt);
    const entry = write(felt, quirks);
    const told = [...entry.sources, ...quirks.flatMap(({ sources }) => sources)];
    const unlocked = told.filter(({ personId }) => !locked.has(personId));
    if (unlocked.length === 0) return entry;
    await lockPeople(tx, unlocked);
    for (const { personId } of unlocked) locked.add(personId);
  }
}

/** Marks a step of a night as done, in the transaction that does it. */
async function mark(tx: Tx, companionId: string, day: string, step: Step): Promise<void> {
  await tx.reflection.update({ where: keyOf(companionId, day), data: { done: { push: step } } });
}

async function dayIn(tx: Tx, { companionId, from, to }: CompanionDay): Promise<FeltDay> {
  const where = { companionId, at: { gte: new Date(from), lt: new Date(to) } };
  const events = await tx.affectEvent.findMany({ where, orderBy: [{ at: 'asc' }, { id: 'asc' }] });
  const turns = await tx.feltTurn.findMany({ where, orderBy: { id: 'asc' } });
  return {
    events: events.map(({ turnId, emotion, intensity, personId, p, a, d }) => ({
      turnId,
      emotion,
      intensity,
      personId,
      shared: { p, a, d },
    })),
    turns: turns.map(({ turnId, personId }) => ({ turnId, personId })),
  };
}

async function quirksIn(tx: Tx, companionId: string, { turns }: Pick<FeltDay, 'turns'>) {
  const rows = await tx.quirk.findMany({
    where: { companionId },
    include: { sources: { where: { turnId: { in: turns.map(({ turnId }) => turnId) } } } },
    orderBy: { text: 'asc' },
  });
  return rows.map(({ sources, ...row }) => ({
    ...quirkOf(row),
    sources: sources.map(({ turnId, personId, audience }) => ({ turnId, personId, audience })),
  }));
}

/** A stored quirk, which this service wrote. */
export function quirkOf(row: Omit<QuirkModel, 'id' | 'companionId'>): Quirk {
  const { text, strength, audience } = row;
  return {
    text,
    strength,
    audience,
    day: row.day.toISOString().slice(0, 10),
    kind: row.kind as Quirk['kind'],
    origin: row.origin as Quirk['origin'],
  };
}

function dateOf(day: string): Date {
  return new Date(`${day}T00:00:00Z`);
}

function keyOf(companionId: string, day: string) {
  return { companionId_day: { companionId, day: dateOf(day) } };
}
