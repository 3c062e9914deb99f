import type { memoryContract, MemoryKind, PersonDescription, RequestOutput } from '@kith/contracts';
import type { Database } from '@kith/database';
import { readAudienceCondition } from '../storage/memory-records.js';
import { factOf, readAsHeard } from '../truth/fact-records.js';
import { describePerson } from './describe-person.js';

/** More than anybody reads; the newest of it. */
const MOST_ROWS = 2_000;
/** What may matter: a page does not show small talk. */
const LEAST_IMPORTANCE = 7;

/**
 * What is known of a person, as a page. It is made when it is asked for, of what is there then, so that it never tells
 * what was forgotten.
 */
export class DescriptionService {
  constructor(private readonly database: Database) {}

  describe({
    personId,
    companionId,
    audience,
    now,
  }: RequestOutput<typeof memoryContract.describe>): Promise<PersonDescription> {
    return this.database.asPerson(personId, async (tx) => {
      const rows = await tx.memory.findMany({
        where: {
          ...{ personId, companionId, shelf: 'open' },
          ...(await readAudienceCondition(tx, audience)),
          OR: [
            { kind: { in: ['fact', 'reflection'] } },
            { kind: 'episode', importance: { gte: LEAST_IMPORTANCE } },
            { kind: 'episode', pinned: true },
          ],
        },
        orderBy: { saidAt: 'desc' },
        take: MOST_ROWS,
      });
      const name = rows.find(({ speaker, writer }) => speaker !== null && writer !== 'import')?.speaker;
      const told = (await readAsHeard(tx, { personId, audience }, rows)).map((row) => ({
        ...row,
        kind: row.kind as MemoryKind,
        fact: row.attribute === null ? null : factOf(row),
      }));
      return describePerson(told, name ?? null, new Date(now));
    });
  }
}
