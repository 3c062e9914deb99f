import type { Pad } from '@kith/contracts';
import type { Database } from '@kith/database';
import { padOf } from '../affect/mood/pad.js';
import { hourOf, seenBy, MAX_ROWS_READ, partRead } from '../affect/mood/seen-by.js';
import type { NeedLevels } from '../affect/needs/needs.js';

/** Affect over time as one person may know it: everybody's changes of the mood, and their own emotions. */
export class AffectHistory {
  constructor(private readonly database: Database) {}

  /**
   * Loads the events of a period, and those before it that say how it began. The person's own carry their emotion and the
   * offset towards them; with null, none is anybody's own. Also returns the time from which on all are included.
   */
  async eventsBetween(companionId: string, from: Date, to: Date, personId: string | null) {
    return this.database.asSystem(async (tx) => {
      const where = { companionId };
      const latestFirst = [{ at: 'desc' as const }, { id: 'desc' as const }];
      // An event of somebody else is seen after its hour: one from before that hour is seen by then.
      const begin = new Date(hourOf(from.getTime()));
      const latest = await tx.affectEvent.findMany({
        where: { ...where, at: { gte: begin, lte: to } },
        orderBy: latestFirst,
        take: MAX_ROWS_READ,
      });
      const inside = latest.reverse();
      const part = partRead(
        from.getTime(),
        inside.map(({ at }) => at.getTime()),
      );
      const earlier = { ...where, at: { lt: new Date(part.before) } };
      const last = await tx.affectEvent.findFirst({ where: earlier, orderBy: latestFirst });
      const lastOfPerson =
        personId === null
          ? null
          : await tx.affectEvent.findFirst({ where: { ...earlier, personId }, orderBy: latestFirst });
      const events = [lastOfPerson, last, ...inside]
        .filter((row) => row !== null)
        .map((row) => {
          const isOwn = row.personId === personId;
          return {
            at: row.at.getTime(),
            isOwn,
            shared: padOf(row),
            offset: isOwn ? offsetIn(row.appraisal) : null,
            felt: isOwn ? { emotion: row.emotion, intensity: row.intensity } : null,
          };
        });
      return { from: part.from, events: seenBy(events) };
    });
  }

  /**
   * Loads the needs as the last turn before a period left them, and as its turns did, in order of time. Returns also the
   * time from which on all are included.
   */
  async needsBetween(companionId: string, from: Date, to: Date, personId: string | null) {
    return this.database.asSystem(async (tx) => {
      const latestFirst = [{ needsAt: 'desc' as const }, { id: 'desc' as const }];
      const begin = new Date(hourOf(from.getTime()));
      const latest = await tx.feltTurn.findMany({
        where: { companionId, needsAt: { gte: begin, lte: to } },
        orderBy: latestFirst,
        take: MAX_ROWS_READ,
      });
      const inside = latest.reverse();
      const part = partRead(
        from.getTime(),
        inside.map(({ needsAt }) => needsAt?.getTime() ?? 0),
      );
      const before = await tx.feltTurn.findFirst({
        where: { companionId, needsAt: { lt: new Date(part.before) } },
        orderBy: latestFirst,
      });
      const states = [before, ...inside]
        .filter((row) => row !== null)
        .map((row) => ({
          levels: row.needs as unknown as NeedLevels,
          at: row.needsAt?.getTime() ?? 0,
          isOwn: row.personId === personId,
        }));
      return { from: part.from, needs: seenBy(states) };
    });
  }
}

/** The offset in an event's JSON, which this service wrote; null where an event has none. */
function offsetIn(appraisal: unknown): Pad | null {
  if (typeof appraisal !== 'object' || appraisal === null || !('offset' in appraisal)) return null;
  return padOf(appraisal.offset as Pad);
}
