import type { Pad } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { MoodEvent } from '../mood/mood-series.js';
import type { NeedLevels, NeedState } from '../needs/needs.js';

/** A plot's period is read up to here, its latest events first. */
const MAX_EVENTS_READ = 2_000;

/** What has been felt, over time. Reads every person's events: none of it is anyone's words. */
export class AffectHistory {
  constructor(private readonly database: Database) {}

  /**
   * The events of a period, and those before it that say how it began. With a person, their events carry the
   * offset towards them.
   */
  async eventsBetween(
    companionId: string,
    from: Date,
    to: Date,
    personId: string | null,
  ): Promise<MoodEvent[]> {
    return this.database.asSystem(async (tx) => {
      const where = { companionId };
      const latestFirst = [{ at: 'desc' as const }, { id: 'desc' as const }];
      const inside = await tx.affectEvent.findMany({
        where: { ...where, at: { gte: from, lte: to } },
        orderBy: latestFirst,
        take: MAX_EVENTS_READ,
      });
      const earlier = { ...where, at: { lt: from } };
      const last = await tx.affectEvent.findFirst({ where: earlier, orderBy: latestFirst });
      const lastOfPerson =
        personId === null
          ? null
          : await tx.affectEvent.findFirst({ where: { ...earlier, personId }, orderBy: latestFirst });
      return [lastOfPerson, last, ...inside.reverse()]
        .filter((row) => row !== null)
        .map((row) => ({
          at: row.at.getTime(),
          shared: padOf(row),
          offset: row.personId === personId ? offsetIn(row.appraisal) : null,
          emotion: row.emotion,
          intensity: row.intensity,
        }));
    });
  }

  /** The needs as turns of a period left them, in order of time, and as the last turn before it did. */
  async needsBetween(companionId: string, from: Date, to: Date): Promise<NeedState[]> {
    return this.database.asSystem(async (tx) => {
      const latestFirst = [{ needsAt: 'desc' as const }, { id: 'desc' as const }];
      const inside = await tx.feltTurn.findMany({
        where: { companionId, needsAt: { gte: from, lte: to } },
        orderBy: latestFirst,
        take: MAX_EVENTS_READ,
      });
      const before = await tx.feltTurn.findFirst({
        where: { companionId, needsAt: { lt: from } },
        orderBy: latestFirst,
      });
      return [before, ...inside.reverse()]
        .filter((row) => row !== null)
        .map(({ needs, needsAt }) => ({
          levels: needs as unknown as NeedLevels,
          at: needsAt?.getTime() ?? 0,
        }));
    });
  }
}

function padOf({ p, a, d }: Pad): Pad {
  return { p, a, d };
}

/** The offset in an event's JSON, which this service wrote; null where an event has none. */
function offsetIn(appraisal: unknown): Pad | null {
  if (typeof appraisal !== 'object' || appraisal === null || !('offset' in appraisal)) return null;
  return padOf(appraisal.offset as Pad);
}
