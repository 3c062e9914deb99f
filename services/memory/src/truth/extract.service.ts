import { randomUUID } from 'node:crypto';
import type { memoryContract, PayloadOutput } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import type { IndexingService } from '../indexing/indexing.service.js';
import { lockPerson, type MemoryRow } from '../storage/memory-records.js';
import { describeFact } from './describe-fact.js';
import { factHashOf, factOf } from './fact-records.js';
import { extractFacts } from './extract-facts.js';
import { reconcileFact, type Fact } from './reconcile-facts.js';

type Whose = PayloadOutput<typeof memoryContract.extract>;

/** Messages read in one transaction. */
const BATCH = 200;
/** What holds of a person matters more than most of what they say. */
const IMPORTANCE = 6;

/** Keeps what holds of people, as they say it, with since when and until when. */
export class ExtractService {
  constructor(
    private readonly database: Database,
    private readonly indexing: IndexingService,
  ) {}

  /** Reads what was said since the last time. Safe to repeat: a message is read in the transaction that notes it. */
  async extract(whose: Whose): Promise<void> {
    for (;;) {
      const read = await this.database.asPerson(whose.personId, async (tx) => {
        await lockPerson(tx, whose.personId);
        const rows = await unread(tx, whose);
        const told = await withoutForgotten(tx, whose, rows);
        for (const [audience, said] of Map.groupBy(told, (row) => row.audience)) {
          await keepFacts(tx, { ...whose, audience }, said);
        }
        const ids = rows.map(({ id }) => id);
        await tx.memory.updateMany({ where: { id: { in: ids } }, data: { readAt: new Date() } });
        return rows.length;
      });
      if (read < BATCH) break;
    }
    await this.indexing.indexPending(whose.personId);
  }
}

/** What the person said of themselves: an import's lines by others are not theirs. In the order it was said. */
function unread(tx: Tx, { personId, companionId }: Whose): Promise<MemoryRow[]> {
  return tx.memory.findMany({
    where: {
      ...{ personId, companionId, kind: 'episode', readAt: null },
      OR: [{ writer: 'person' }, { writer: 'import', speaker: null }],
    },
    orderBy: [{ saidAt: 'asc' }, { id: 'asc' }],
    take: BATCH,
  });
}

/** Of each message what was not forgotten: a fact that the person took back is not read from it again. */
async function withoutForgotten(
  tx: Tx,
  { personId, companionId }: Whose,
  rows: MemoryRow[],
): Promise<MemoryRow[]> {
  const records = await tx.forgetRecord.findMany({
    where: {
      personId,
      OR: [{ companionId: null }, { companionId }],
      sources: { hasSome: rows.flatMap(({ sources }) => sources) },
    },
    select: { sources: true },
  });
  const forgotten = new Set(records.flatMap(({ sources }) => sources));
  return rows
    .map((row) => ({ ...row, told: row.sources.filter((source) => !forgotten.has(source)) }))
    .filter(({ sources, told }) => told.length > 0 || sources.length === 0)
    .map(({ told, ...row }) => ({ ...row, sources: told }));
}

/** Facts told before one audience stay with it: what was said in a DM ends nothing that a channel knows. */
async function keepFacts(tx: Tx, place: Whose & { audience: string }, said: MemoryRow[]): Promise<void> {
  const rows = await tx.memory.findMany({ where: { ...place, kind: 'fact', attribute: { not: null } } });
  const known = new Map(rows.map((row) => [row.id, factOf(row)]));
  const changed = new Set<string>();
  let name = rows[0]?.speaker ?? null;
  for (const { text, saidAt, sources, speaker } of said) {
    name = speaker ?? name;
    for (const statement of extractFacts(text)) {
      const told = { ...statement, at: saidAt, sources };
      for (const fact of reconcileFact([...known.values()], told, randomUUID)) {
        known.set(fact.id, fact);
        changed.add(fact.id);
      }
    }
  }
  const there = new Set(rows.map(({ id }) => id));
  for (const id of changed) await writeFact(tx, place, known.get(id)!, name, there.has(id));
}

async function writeFact(
  tx: Tx,
  place: Whose & { audience: string },
  fact: Fact,
  name: string | null,
  isThere: boolean,
): Promise<void> {
  const { id, attribute, value, isSure, validFrom, validTo, supersededBy, sources, evidence } = fact;
  const text = describeFact(fact, name ?? 'The person');
  // What it says has changed: it is to be found by that.
  const data = { text, isSure, validFrom, validTo, supersededBy, sources, evidence, indexedIn: null };
  if (isThere) {
    await tx.memory.update({ where: { id }, data, select: { id: true } });
    return;
  }
  await tx.memory.createMany({
    data: {
      ...{ id, ...place, ...data, attribute, value, contentHash: factHashOf(fact) },
      ...{ kind: 'fact', writer: 'person', speaker: name, importance: IMPORTANCE, saidAt: validFrom },
    },
    // The same words at the same moment, read before.
    skipDuplicates: true,
  });
}
