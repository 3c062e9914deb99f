import {
  AffectEventView,
  type DiaryEntryView,
  type Pad,
  type personalityContract,
  type RequestOutput,
  timesAsText,
} from '@kith/contracts';
import { pageOf, readOfEach, type Database, type LeftPlaces, type Tx } from '@kith/database';
import { pleasureOf } from '../affect/mood/emotions.js';
import { minus } from '../affect/mood/pad.js';
import { EVERYWHERE } from '../persona/quirk.js';
import { diaryFor } from '../night/diary-for.js';
import { quirkOf } from './reflection-records.js';
import type { SettledProspect } from './save-felt.js';

/**
 * Explanations in Postgres: events, quirks and diary with the turns behind them. A person sees their own turns, by
 * row-level security; an operator, who is no person here (null), sees everybody's.
 */
export class ExplanationRecords {
  constructor(
    private readonly database: Database,
    private readonly left: Pick<LeftPlaces, 'read'>,
  ) {}

  /**
   * Loads a page of what moved the mood, the latest first. The words of a hope or fear are for the person who told it: an
   * operator sees of others only that there was one.
   */
  async events(asked: RequestOutput<typeof personalityContract.affectEvents>) {
    const { companionId, viewer, asker, from, to, limit, cursor } = asked;
    const rows = await this.as(viewer, (tx) =>
      tx.affectEvent.findMany({
        where: {
          companionId,
          // Row security allows no more, but finds them by no index.
          ...(viewer === null ? {} : { personId: viewer }),
          at: { ...(from ? { gte: from } : {}), ...(to ? { lte: to } : {}) },
          ...(cursor ? { id: { lt: BigInt(cursor) } } : {}),
        },
        orderBy: { id: 'desc' },
        take: limit + 1,
      }),
    );
    const { page, nextCursor } = pageOf(rows, limit, ({ id }) => String(id));
    const words = await this.wordsFor(asker, page);
    const events = page.map((row) => {
      const { p, a, d } = row;
      const { variables, before, settles: settled } = logged(row.appraisal);
      const mood = { p, a, d };
      const change = before ? minus(mood, before) : null;
      const settles = settled ? { ...settled, about: words.get(keyOf(settled)) ?? null } : null;
      return AffectEventView.parse({ ...timesAsText(row), variables, mood, change, settles });
    });
    return { events, nextCursor };
  }

  /** Loads the quirks of a companion, with the turns behind them that the viewer may know of. */
  async quirks(viewer: string | null, companionId: string) {
    const rows = await this.as(viewer, (tx) =>
      tx.quirk.findMany({ where: { companionId }, include: { sources: { orderBy: { turnId: 'asc' } } } }),
    );
    // A channel's own habit is for those whose turns it comes from: of others it is not known who reads there.
    const shown = rows.filter(
      ({ audience, sources }) => viewer === null || audience === EVERYWHERE || sources.length > 0,
    );
    return shown.map((row) => ({
      ...quirkOf(row),
      since: row.createdAt,
      sources: row.sources.map(({ turnId }) => turnId),
    }));
  }

  /** Loads a page of the diary before a day, the latest entry first. */
  async diary(asked: RequestOutput<typeof personalityContract.diary>) {
    const { companionId, viewer, before, limit } = asked;
    const rows = await this.as(viewer, (tx) =>
      tx.diaryEntry.findMany({
        where: { companionId, ...(before ? { day: { lt: new Date(before) } } : {}) },
        include: { sources: { orderBy: { number: 'asc' } } },
        orderBy: { day: 'desc' },
        take: limit + 1,
      }),
    );
    const entries = rows.map(({ day, text, sources }): DiaryEntryView => ({
      day: day.toISOString().slice(0, 10),
      text: diaryFor(
        text,
        sources.map(({ number }) => number),
      ),
      sources: sources.map(({ number, turnId }) => ({ number, turnId })),
    }));
    const { page, nextCursor } = pageOf(entries, limit, ({ day }) => day);
    return { entries: page, nextCursor };
  }

  /** The strongest emotion of each of these turns that was felt at all, and how pleasant it was. */
  async strongest(whose: readonly { personId: string; turnIds: string[] }[]) {
    const rows = await readOfEach(
      this.database,
      whose,
      (reader, { personId, turnIds }) => reader.$queryRaw<
        { turnId: string; emotion: string; intensity: number }[]
      >`
        SELECT DISTINCT ON (turn_id) turn_id AS "turnId", emotion, intensity FROM affect_events
        WHERE person_id = ${personId}::uuid AND turn_id = ANY (${turnIds}::uuid[])
        ORDER BY turn_id, intensity DESC`,
    );
    return rows
      .flat()
      .map(({ turnId, emotion, intensity }) => ({
        turnId,
        intensity,
        pleasure: intensity * pleasureOf(emotion),
      }));
  }

  /** Loads the asker's own words for the prospects that these events settled; none told in a place that the app left. */
  private async wordsFor(asker: string, rows: readonly { appraisal: unknown }[]) {
    const turnIds = rows.flatMap(({ appraisal }) => logged(appraisal).settles?.turnId ?? []);
    if (turnIds.length === 0) return new Map<string, string>();
    const prospects = await this.database.asPerson(asker, async (tx) => {
      const told = { OR: [{ audience: null }, { audience: { notIn: await this.left.read(tx) } }] };
      return tx.prospect.findMany({ where: { personId: asker, turnId: { in: turnIds }, ...told } });
    });
    return new Map(prospects.map((prospect) => [keyOf(prospect), prospect.about]));
  }

  private as<T>(viewer: string | null, work: (tx: Tx) => Promise<T>): Promise<T> {
    return viewer === null ? this.database.asSystem(work) : this.database.asPerson(viewer, work);
  }
}

/** An event's JSON as this service wrote it; earlier ones have no `before`, and no `settles`. */
interface LoggedAppraisal {
  variables: AffectEventView['variables'];
  before?: Pad;
  settles?: SettledProspect | null;
}

function logged(appraisal: unknown): LoggedAppraisal {
  return appraisal as LoggedAppraisal;
}

function keyOf({ turnId, kind }: { turnId: string; kind: string }): string {
  return `${turnId} ${kind}`;
}
