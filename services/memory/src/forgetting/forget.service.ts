import type { memoryContract, RequestOutput, ResponseInput } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import { forgetInCore } from '../core/core.service.js';
import { lockPerson, viewOf, type MemoryRow } from '../storage/memory-records.js';
import type { VectorIndex } from '../storage/vector-index.js';
import { rewordFacts } from '../truth/chosen-name.js';
import { describeFact } from '../truth/describe-fact.js';
import { factOf } from '../truth/fact-records.js';

type Asked = RequestOutput<typeof memoryContract.forget>;
/** A request to forget that names what is to go. */
export type ForgetRequest = Omit<Asked, 'what'> & { what: Exclude<Asked['what'], { kind: 'query' }> };
/** What was done, and the messages that it was done to. */
type Forgotten = ResponseInput<typeof memoryContract.forget> & { sources: string[] };
type Removed = Pick<MemoryRow, 'id' | 'sources' | 'validTo' | 'supersededBy'>;

const REMOVED = { id: true, kind: true, sources: true, validTo: true, supersededBy: true } as const;
const MAX_DELETE = 500;
/** What a preview shows. */
const MAX_SHOWN = 50;

/** Removes memories: the row, which is the truth, first; then the point that is derived from it. */
export class ForgetService {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
  ) {}

  /**
   * Forgets, and leaves a record so that a job that comes late does not store the same again. With the index
   * out of reach the rows are gone (and so never recalled), `unavailable` is thrown, and the points follow
   * with the next call or at upkeep.
   */
  async forget(request: ForgetRequest): Promise<Forgotten> {
    const { personId } = request;
    if (request.preview) {
      const rows = await this.database.asPerson(personId, (tx) =>
        tx.memory.findMany({ where: whichOf(request), orderBy: { saidAt: 'desc' } }),
      );
      return {
        rows: rows.length,
        points: 0,
        receipt: null,
        sources: [],
        memories: rows.slice(0, MAX_SHOWN).map(viewOf),
      };
    }
    const { rows, receipt, sources } = await this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      const removed = await removeRows(tx, request);
      const named = request.what.kind === 'sources' ? request.what.sources : [];
      return {
        rows: removed.length,
        receipt: await leaveRecord(tx, request, removed),
        sources: [...new Set([...named, ...removed.flatMap((row) => row.sources)])],
      };
    });
    return { rows, points: await this.settle(personId), receipt, sources, memories: [] };
  }

  /** Removes the points of rows that are gone. Says how many there were. */
  async settle(personId: string): Promise<number> {
    const open = await this.database.asPerson(personId, (tx) =>
      tx.forgetRecord.findMany({ where: { personId, pending: { isEmpty: false } } }),
    );
    let points = 0;
    for (const { id, pending } of open) {
      for (let from = 0; from < pending.length; from += MAX_DELETE) {
        points += await this.index.delete(personId, { ids: pending.slice(from, from + MAX_DELETE) });
      }
      await this.database.asPerson(personId, (tx) =>
        tx.forgetRecord.update({ where: { id }, data: { pending: [] } }),
      );
    }
    return points;
  }

  /** Finishes what any person's removals left open. */
  async settleAll(): Promise<void> {
    const open = await this.database.asSystem((tx) =>
      tx.forgetRecord.findMany({
        where: { pending: { isEmpty: false } },
        select: { personId: true },
        distinct: ['personId'],
      }),
    );
    for (const { personId } of open) await this.settle(personId);
  }
}

function ownedBy({ personId, companionId }: ForgetRequest) {
  return { personId, ...(companionId !== undefined && { companionId }) };
}

/** What is named by the request itself, as a condition. */
function whichOf(request: ForgetRequest) {
  const { what } = request;
  return {
    ...ownedBy(request),
    ...(what.kind === 'ids' && { id: { in: what.ids } }),
    // One that several messages led to goes whole: what is left of it might be the forgotten one's words.
    ...(what.kind === 'sources' && { sources: { hasSome: what.sources } }),
    ...(what.kind === 'place' && { audience: what.audience }),
    ...(what.kind === 'period' && { saidAt: { gte: new Date(what.from), lt: new Date(what.to) } }),
  };
}

interface Owner {
  personId: string;
  companionId?: string;
}

/** Facts and reflections that were made of these messages. */
function madeOf(tx: Tx, owned: Owner, sources: string[]) {
  return tx.memory.findMany({
    where: { ...owned, kind: { in: ['reflection', 'fact'] }, sources: { hasSome: sources } },
    select: REMOVED,
  });
}

async function takeAway(
  tx: Tx,
  owned: Owner,
  removed: Removed[],
  made: (Removed & { kind: string })[],
): Promise<void> {
  await reviveFacts(tx, removed);
  await tx.memory.deleteMany({
    where: { personId: owned.personId, id: { in: removed.map(({ id }) => id) } },
  });
  // A fact that other messages say as well is read from those again.
  const alsoSaid = made.filter(({ kind }) => kind === 'fact').flatMap(({ sources }) => sources);
  await tx.memory.updateMany({
    where: { ...owned, kind: 'episode', sources: { hasSome: alsoSaid } },
    data: { readAt: null },
  });
  // A name that is forgotten is gone from what else is known of them.
  await rewordFacts(tx, owned);
}

/**
 * Removes what was made of messages whose words have changed, to be made anew. Their points follow at upkeep.
 * @returns the kinds of what is gone
 */
export async function removeMade(tx: Tx, owned: Required<Owner>, sources: string[]): Promise<string[]> {
  await forgetInCore(tx, owned, sources);
  const made = await madeOf(tx, owned, sources);
  if (made.length === 0) return [];
  await takeAway(tx, owned, made, made);
  const pending = made.map(({ id }) => id);
  await tx.forgetRecord.create({ data: { ...owned, everything: false, sources: [], pending } });
  return made.map(({ kind }) => kind);
}

async function removeRows(tx: Tx, request: ForgetRequest): Promise<Removed[]> {
  const owned = ownedBy(request);
  const named = await tx.memory.findMany({ where: whichOf(request), select: REMOVED });
  // What was made of it goes with it.
  const ofThem = named.flatMap(({ sources }) => sources);
  const made = await madeOf(tx, owned, ofThem);
  const removed = [...new Map([...named, ...made].map((row) => [row.id, row])).values()];
  // Core memory was made of it all.
  const { what } = request;
  if (what.kind === 'all') await tx.coreBlock.deleteMany({ where: owned });
  else if (what.kind === 'place')
    await tx.coreBlock.deleteMany({ where: { ...owned, audience: what.audience } });
  else await forgetInCore(tx, owned, what.kind === 'sources' ? what.sources : ofThem);
  await takeAway(tx, owned, removed, made);
  // A reflection names more sources than the one that is to be forgotten: only the named rows' own count.
  return removed.map((row) => (named.some(({ id }) => id === row.id) ? row : { ...row, sources: [] }));
}

/** What a forgotten fact had ended holds again, or until what ended that one. */
async function reviveFacts(tx: Tx, removed: Removed[]): Promise<void> {
  const gone = new Map(removed.map((row) => [row.id, row]));
  const ended = await tx.memory.findMany({ where: { supersededBy: { in: [...gone.keys()] } } });
  for (const row of ended.filter(({ id }) => !gone.has(id))) {
    let by = gone.get(row.supersededBy!);
    while (by?.supersededBy && gone.has(by.supersededBy)) by = gone.get(by.supersededBy);
    const fact = {
      ...factOf(row),
      validTo: by?.validTo ?? row.holdsUntil,
      supersededBy: by?.supersededBy ?? null,
    };
    const { id, validTo, supersededBy } = fact;
    const text = describeFact(fact, row.speaker ?? 'The person');
    await tx.memory.update({
      where: { id },
      data: { text, validTo, supersededBy, indexedIn: null },
      select: { id: true },
    });
  }
}

async function leaveRecord(
  tx: Tx,
  { personId, companionId, what }: ForgetRequest,
  removed: Removed[],
): Promise<string> {
  // Ids without a row are kept too: an earlier try may have left their points.
  const ids = what.kind === 'ids' ? what.ids : [];
  const sources = what.kind === 'sources' ? what.sources : [];
  const record = await tx.forgetRecord.create({
    data: {
      personId,
      companionId: companionId ?? null,
      everything: what.kind === 'all',
      ...(what.kind === 'period' && { saidFrom: new Date(what.from), saidTo: new Date(what.to) }),
      pending: [...new Set([...ids, ...removed.map(({ id }) => id)])],
      sources: [...new Set([...sources, ...removed.flatMap((row) => row.sources)])],
    },
    select: { id: true },
  });
  return record.id;
}
