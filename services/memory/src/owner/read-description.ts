import type { MemoryKind, PersonDescription, MemoryRequest } from '@kith/contracts';
import type { Database } from '@kith/database';
import { factOf, rowsForAudience } from '../facts/fact-records.js';
import { describePerson, MATTERS } from './describe-person.js';
import { readAudienceCondition } from '../rows/audience-conditions.js';

/** Rows that a page is made of, the newest: more than anybody reads. */
const MAX_ROWS = 2_000;

/**
 * Writes a person's page. It is made on request from the memories of that moment, so that it never shows
 * forgotten ones.
 */
export function readDescription(
  database: Database,
  { personId, companionId, audience, now }: MemoryRequest<'describe'>,
): Promise<PersonDescription> {
  return database.asPerson(personId, async (tx) => {
    const rows = await tx.memory.findMany({
      where: {
        personId,
        companionId,
        shelf: 'open',
        ...(await readAudienceCondition(tx, audience)),
        OR: [
          { kind: { in: ['fact', 'reflection'] } },
          { kind: 'episode', importance: { gte: MATTERS } },
          { kind: 'episode', pinned: true },
        ],
      },
      orderBy: { saidAt: 'desc' },
      take: MAX_ROWS,
    });
    const isTheirs = (writer: string) => writer !== 'import' && writer !== 'companion';
    const name = rows.find(({ speaker, writer }) => speaker !== null && isTheirs(writer))?.speaker;
    const told = (await rowsForAudience(tx, { personId, audience }, rows)).map((row) => ({
      ...row,
      kind: row.kind as MemoryKind,
      fact: row.attribute === null ? null : factOf(row),
      isTopic: row.sentences !== null,
    }));
    return describePerson(told, name ?? null, new Date(now));
  });
}
