import { randomUUID } from 'node:crypto';
import {
  AppError,
  gatewayContract,
  outreachContract,
  personalityContract,
  type Exchange,
  type memoryContract,
  type PayloadOutput,
} from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import type { JobRun, Messenger } from '@kith/messaging';
import type { IndexingService } from '../indexing/indexing.service.js';
import { scoreImportance } from '../remembering/score-importance.js';
import { readAudienceCondition, lockPerson, type MemoryRow } from '../storage/memory-records.js';
import { chosenName, rewordFacts } from './chosen-name.js';
import { describeFact } from './describe-fact.js';
import { factHashOf, factOf } from './fact-records.js';
import type { Statement } from './extract-facts.js';
import { factsAsHeard, noteFact, type PlacedFact } from './heard-facts.js';
import type { ReadLines } from './read-lines.js';
import { noteUses } from './note-uses.js';
import { readSaidBefore } from './said-before.js';

type Whose = PayloadOutput<typeof memoryContract.extract>;
type Felt = { intensity: number; pleasure: number };
type Place = Whose & { audience: string };

/** Lines read at once: some 1,500 tokens of talk for a model. */
const BATCH = 40;
/** What holds of a person matters more than most of what they say. */
const IMPORTANCE = 6;
const ZONE_TIMEOUT_MS = 1_000;
const FELT_TIMEOUT_MS = 1_000;
const EXCHANGES_TIMEOUT_MS = 1_000;
const MOST = 10;
/** What was felt most strongly matters by so much more, of ten. */
const MOST_FELT = 2;

/** Keeps what holds of people, as they say it, with since when and until when. */
export class ExtractService {
  constructor(
    private readonly database: Database,
    private readonly indexing: IndexingService,
    private readonly messenger: Messenger,
    private readonly read: ReadLines,
  ) {}

  /**
   * Reads what was said since the last time. Safe to repeat: a line is noted as read in the transaction that keeps what
   * it says. What was forgotten while it was read leaves nothing. A line that ended its reader is noted as read, says
   * nothing, and is told to the operator by the end of the job. So is one over which the process died: after a death the
   * lines are read one by one, each marked before it is.
   * @throws AppError `invalid_request` that names such lines, after everything else is read
   */
  async extract(whose: Whose, suspect: JobRun['suspect'] = null): Promise<void> {
    const setAside = [...(suspect?.endedBy ?? [])];
    if (setAside.length > 0) await this.#setAside(whose.personId, setAside);
    const atOnce = suspect ? 1 : BATCH;
    for (;;) {
      const rows = await this.database.asPerson(whose.personId, (tx) => unread(tx, whose, atOnce));
      if (rows.length === 0) break;
      if (suspect) await suspect.begin(rows[0]!.id);
      // DMs last: what was told before others has to be known there.
      const told = [...Map.groupBy(rows, (row) => row.audience)].toSorted(
        ([a], [b]) => Number(a === 'direct') - Number(b === 'direct'),
      );
      for (const [audience, said] of told) {
        setAside.push(...(await this.#extract({ ...whose, audience }, said)));
      }
      if (rows.length < atOnce) break;
    }
    await this.indexing.indexPending(whose.personId);
    if (setAside.length > 0)
      throw new AppError(
        'invalid_request',
        `ended their reader twice, and are left unread: memories ${setAside.join(', ')}`,
      );
  }

  /**
   * Facts told before one audience stay with it: what was said in a DM ends nothing that a channel knows
   * (`heard-facts.ts`). Answers the lines that ended their reader.
   */
  async #extract(place: Place, said: MemoryRow[]): Promise<string[]> {
    const { personId, companionId } = place;
    const known = await this.database.asPerson(personId, (tx) => factsIn(tx, place));
    const exchanges = await this.#exchangesOf(said);
    const before = await readSaidBefore(this.database, place, said, exchanges);
    const lines = said.map((row) => ({ ...row, before: before.get(row.id) }));
    const reading = await this.read(lines, {
      name:
        chosenName(known.map(factOf)) ?? said.findLast(({ speaker }) => speaker !== null)?.speaker ?? null,
      companion: companionId,
      timeZone: () => this.#zoneOf(personId),
      known: factsAsHeard(known.map(factOf)).filter(({ validTo }) => validTo === null),
    });
    const felt = await this.#feltAt(personId, said);
    await this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      const told = await stillTold(tx, place, said);
      await keepFacts(
        tx,
        place,
        told,
        (row) => reading.statements[said.findIndex(({ id }) => id === row.id)] ?? [],
      );
      await noteRead(tx, said, (row, n) => weigh(row, reading.importance[n] ?? null, felt), felt);
      await noteUses(tx, personId, said, exchanges);
    });
    return said.filter((_, n) => reading.statements[n] === null).map(({ id }) => id);
  }

  async #setAside(personId: string, ids: readonly string[]): Promise<void> {
    await this.database.asPerson(
      personId,
      (tx) => tx.$executeRaw`
        UPDATE memories SET read_at = now() WHERE id = ANY (${[...ids]}::uuid[]) AND read_at IS NULL`,
    );
  }

  /** The companion's part of the turns of these lines; nothing where the gateway does not say. */
  async #exchangesOf(said: readonly MemoryRow[]): Promise<Exchange[]> {
    const turnIds = turnsOf(said);
    if (turnIds.length === 0) return [];
    const asked = this.messenger.ask(
      gatewayContract.exchanges,
      { turnIds },
      { timeoutMs: EXCHANGES_TIMEOUT_MS },
    );
    const { exchanges } = await asked.catch(() => ({ exchanges: [] }));
    return exchanges;
  }

  /** How the turns of these lines were felt; nothing where personality does not say. */
  async #feltAt(personId: string, said: readonly MemoryRow[]): Promise<ReadonlyMap<string, Felt>> {
    const turnIds = turnsOf(said);
    if (turnIds.length === 0) return new Map();
    const asked = this.messenger.ask(
      personalityContract.felt,
      { personId, turnIds },
      { timeoutMs: FELT_TIMEOUT_MS },
    );
    const { turns } = await asked.catch(() => ({ turns: [] }));
    return new Map(turns.map((felt) => [felt.turnId, felt]));
  }

  async #zoneOf(personId: string): Promise<string> {
    try {
      const { settings } = await this.messenger.ask(
        outreachContract.settings,
        { personId },
        { timeoutMs: ZONE_TIMEOUT_MS },
      );
      return settings.timeZone;
    } catch {
      // A day off by some hours is better than none.
      return 'UTC';
    }
  }
}

function turnsOf(said: readonly MemoryRow[]): string[] {
  return [...new Set(said.flatMap(({ turnId }) => turnId ?? []))];
}

/** What the person said of themselves: an import's lines by others are not theirs. In the order it was said. */
function unread(tx: Tx, { personId, companionId }: Whose, atOnce: number): Promise<MemoryRow[]> {
  return tx.memory.findMany({
    where: {
      ...{ personId, companionId, kind: 'episode', shelf: 'open', readAt: null },
      OR: [{ writer: 'person' }, { writer: 'import', speaker: null }],
    },
    orderBy: [{ saidAt: 'asc' }, { id: 'asc' }],
    take: atOnce,
  });
}

/**
 * Of each line what was not forgotten: a fact that the person took back is not read from it again. Lines that are gone,
 * or that another run has read meanwhile, are left out.
 */
async function stillTold(tx: Tx, { personId, companionId }: Place, rows: MemoryRow[]): Promise<MemoryRow[]> {
  const there = await tx.memory.findMany({
    where: { id: { in: rows.map(({ id }) => id) }, readAt: null },
    select: { id: true },
  });
  const records = await tx.forgetRecord.findMany({
    where: {
      ...{ personId, revision: null },
      OR: [{ companionId: null }, { companionId }],
      sources: { hasSome: rows.flatMap(({ sources }) => sources) },
    },
    select: { sources: true },
  });
  const forgotten = new Set(records.flatMap(({ sources }) => sources));
  return rows
    .filter(({ id }) => there.some((row) => row.id === id))
    .map((row) => ({ ...row, told: row.sources.filter((source) => !forgotten.has(source)) }))
    .filter(({ sources, told }) => told.length > 0 || sources.length === 0)
    .map(({ told, ...row }) => ({ ...row, sources: told }));
}

/** The facts that are heard where something was said. */
async function factsIn(tx: Tx, { personId, companionId, audience }: Place): Promise<MemoryRow[]> {
  return tx.memory.findMany({
    where: {
      ...{ personId, companionId, kind: 'fact', attribute: { not: null } },
      ...(await readAudienceCondition(tx, audience)),
    },
    orderBy: { validFrom: 'asc' },
  });
}

async function keepFacts(
  tx: Tx,
  place: Place,
  told: MemoryRow[],
  statementsOf: (row: MemoryRow) => readonly Statement[],
): Promise<void> {
  const rows = await factsIn(tx, place);
  const known = new Map(rows.map((row) => [row.id, factOf(row)]));
  const changed = new Set<string>();
  let name = rows[0]?.speaker ?? null;
  for (const row of told) {
    name = row.speaker ?? name;
    for (const statement of statementsOf(row)) {
      const sources = statement.isAnswer ? row.sources.slice(-1) : row.sources;
      const said = { ...statement, at: row.saidAt, sources };
      for (const fact of noteFact([...known.values()], said, place.audience, randomUUID)) {
        known.set(fact.id, fact);
        changed.add(fact.id);
      }
    }
  }
  const there = new Set(rows.map(({ id }) => id));
  const called = chosenName([...known.values()]) ?? name;
  for (const id of changed)
    await writeFact(tx, place, known.get(id)!, { speaker: name, called }, there.has(id));
  if ([...changed].some((id) => known.get(id)!.attribute === 'name')) await rewordFacts(tx, place);
}

/**
 * How much a line matters: as it was judged, or by its words, and more for what was felt at it. Null where nothing new
 * is known of that.
 */
function weigh(
  { text, turnId }: MemoryRow,
  judged: number | null,
  felt: ReadonlyMap<string, Felt>,
): number | null {
  const intensity = felt.get(turnId ?? '')?.intensity;
  if (intensity === undefined) return judged;
  return Math.min(MOST, (judged ?? scoreImportance(text)) + MOST_FELT * intensity);
}

/** Notes the lines as read, each with how much it matters where that is known anew. */
async function noteRead(
  tx: Tx,
  said: MemoryRow[],
  importanceOf: (row: MemoryRow, place: number) => number | null,
  felt: ReadonlyMap<string, Felt>,
): Promise<void> {
  const pleasures = said.map(({ turnId }) => felt.get(turnId ?? '')?.pleasure ?? null);
  await tx.$executeRaw`
    UPDATE memories SET read_at = now(), importance = coalesce(judged.importance, memories.importance),
      felt_pleasure = coalesce(judged.pleasure, felt_pleasure)
    FROM unnest(${said.map(({ id }) => id)}::uuid[], ${said.map(importanceOf)}::float[], ${pleasures}::float[])
      AS judged (id, importance, pleasure)
    WHERE memories.id = judged.id`;
}

async function writeFact(
  tx: Tx,
  place: Place,
  fact: PlacedFact,
  { speaker, called }: { speaker: string | null; called: string | null },
  isThere: boolean,
): Promise<void> {
  const { id, attribute, value, importance, ...held } = fact;
  // What it says has changed: it is to be found by that.
  const data = { ...held, text: describeFact(fact, called ?? 'The person'), indexedIn: null };
  if (isThere) {
    await tx.memory.update({ where: { id }, data, select: { id: true } });
    return;
  }
  await tx.memory.createMany({
    data: {
      ...{ id, ...place, ...data, attribute, value, contentHash: factHashOf(fact) },
      ...{ kind: 'fact', speaker },
      writer: fact.wording === null ? 'person' : 'model',
      importance: importance ?? IMPORTANCE,
    },
    // The same words at the same moment, read before.
    skipDuplicates: true,
  });
}
