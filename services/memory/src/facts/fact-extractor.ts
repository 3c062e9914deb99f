import {
  AppError,
  type Exchange,
  firstOf,
  gatewayContract,
  MAX_TURNS_IN_JOB,
  outreachContract,
  personalityContract,
  present,
} from '@kith/contracts';
import { People, type Database } from '@kith/database';
import { allOrOneByOne, oneByOne, type JobRun, type Messenger } from '@kith/messaging';
import type { IndexWriter } from '../index/index-writer.js';
import { chosenName, readToReword, reworded, saveTexts } from './chosen-name.js';
import { factHashOf, factOf } from './fact-records.js';
import { factsForAudience } from './audience-facts.js';
import { planFacts, weigh, type FactPlan, type FeltStrength, type SaidLine } from './plan-facts.js';
import { planUses } from './plan-uses.js';
import type { Reading, ReadLines } from './read-lines.js';
import {
  factsToldBefore,
  readBehindLock,
  readUnread,
  saveReading,
  setLinesAside,
  type LockedState,
  type ReadingToSave,
  type LinesToRead,
  type WithdrawnFact,
} from './reading-records.js';
import { questionsBefore } from './questions-before.js';
import type { Statement } from './statement.js';
import type { Pair } from '../rows/memory-scope.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** Lines of one person read at once: some 1,500 tokens of talk for a model. */
export const BATCH = 40;
/**
 * People whose lines are noted as read in one transaction: a model takes seconds for each, and after a crash all of
 * them are read again.
 */
const PEOPLE_AT_ONCE = 8;
/**
 * Tries at lines whose person forgets or edits something while they are read. Upkeep has them read once the person is
 * done: each try costs a model's tokens.
 */
const MAX_TRIES = 3;
/** Longest wait for another service: after it, reading goes on without the answer. */
const ANSWER = { timeoutMs: 1_000 };

/** Unread lines that one person said to one companion and one audience. */
interface UnreadPlace extends Pair, LinesToRead {
  audience: string;
  /** The lines of this audience; others of the person's come after them. */
  lines: MemoryRow[];
  hasMore: boolean;
}

/** Reads facts from what people say, and stores them with the times from and until which they hold. */
export class FactExtractor {
  constructor(
    private readonly database: Database,
    private readonly writer: IndexWriter,
    private readonly messenger: Messenger,
    private readonly read: ReadLines,
  ) {}

  /**
   * Reads what these people said since the last time. Safe to repeat: a line is marked as read in the transaction that
   * stores its facts. Where something was forgotten or edited meanwhile, nothing is stored, and the lines that are left
   * are read again. A line that crashed its reader, or the process, is marked as read without a fact, and the job fails
   * to tell the operator. After a crash lines are read one by one, each marked beforehand, so that the cause is known.
   * @throws AppError `invalid_request` that names such lines, after everything else is read
   */
  async extract(whose: readonly Pair[], suspect: JobRun['suspect'] = null): Promise<void> {
    const setAside = [...(suspect?.endedBy ?? [])];
    if (setAside.length > 0) await setLinesAside(this.database, whose, setAside);
    const atOnce = suspect ? 1 : BATCH;
    // Several people are always locked in this order, so that no two jobs wait for each other.
    const inOrder = whose.toSorted((a, b) => (a.personId < b.personId ? -1 : 1));
    const starts = inOrder.flatMap((_, n) => (n % PEOPLE_AT_ONCE === 0 ? [n] : []));
    await oneByOne(starts, async (from) => {
      let left = inOrder.slice(from, from + PEOPLE_AT_ONCE);
      let triesLeft = MAX_TRIES;
      while (left.length > 0) {
        const unread = await readUnread(this.database, left, atOnce);
        const places = left.flatMap((one, n) => placeToRead(one, present(unread[n]), atOnce) ?? []);
        if (suspect && places[0]) await suspect.begin(firstOf(places[0].lines).id);
        const outdated = new Set<UnreadPlace>();
        await allOrOneByOne(places, async (some) => {
          const done = await this.extractPlaces(some);
          setAside.push(...done.crashed);
          for (const place of done.outdated) outdated.add(place);
        });
        if (outdated.size > 0) triesLeft -= 1;
        left = places
          .filter((place) => (outdated.has(place) ? triesLeft > 0 : place.hasMore))
          .map(({ personId, companionId }) => ({ personId, companionId }));
      }
    });
    if (setAside.length > 0)
      throw new AppError(
        'invalid_request',
        `skipped memories whose fact extraction crashed twice: ${setAside.join(', ')}`,
      );
  }

  /**
   * Reads lines, stores their facts and marks them as read. Returns the ids of lines that crashed their reader, and the
   * places whose person forgot or edited something meanwhile: theirs are still unread.
   */
  private async extractPlaces(places: readonly UnreadPlace[]) {
    const lines = places.flatMap((place) => place.lines);
    const [exchanges, felt] = await Promise.all([this.exchangesOf(lines), this.feltAt(places)]);
    const read: { place: UnreadPlace; reading: Reading; exchanges: typeof exchanges }[] = [];
    for (const place of places)
      read.push({
        place,
        reading: await this.readPlace(place, exchanges),
        exchanges: exchanges.filter(({ turnId }) => place.lines.some((line) => line.turnId === turnId)),
      });
    const { plans, done } = await this.database.write({ personId: firstOf(places).personId }, async (tx) => {
      const people = new People(tx);
      const behind = await Promise.all(
        read.map(({ place, exchanges: own }) =>
          people.of(place.personId, (its) =>
            readBehindLock(its, place, place.lines, [...new Set(own.flatMap(({ recalled }) => recalled))]),
          ),
        ),
      );
      const planned = read.map((one, n) => planReading(one, present(behind[n]), felt));
      const save = () =>
        Promise.all(planned.map((plan) => people.of(plan.personId, (its) => saveReading(its, plan))));
      const renamed = planned.filter(({ isRenamed }) => isRenamed);
      await (renamed.length > 0 ? save() : tx.last(save));
      for (const plan of renamed) await reword(people, plan);
      return { plans: planned, done: read.filter((_, n) => behind[n]?.isOutdated === false) };
    });
    const changed = plans.filter(({ facts }) => facts.length > 0);
    await oneByOne(changed, ({ personId }) => this.writer.indexPending(personId));
    const crashed = done.flatMap(({ place, reading }) =>
      place.lines.filter((_, n) => reading.statements[n] === null).map(({ id }) => id),
    );
    const isDone = new Set(done.map(({ place }) => place));
    return { crashed, outdated: places.filter((place) => !isDone.has(place)) };
  }

  private readPlace(
    { personId, companionId, audience, lines, facts, isGone }: UnreadPlace,
    exchanges: Exchange[],
  ) {
    const asked = exchanges
      .flatMap(({ turnId, before }) => (before ? { turnId, text: before.text, at: new Date(before.at) } : []))
      // Questions asked in private, or in a time that was forgotten, are left out.
      .filter(({ at }) => !isGone(at));
    const before = questionsBefore(lines, asked);
    const known = factsToldBefore(facts, audience).map(factOf);
    return this.read(
      lines.map((row) => ({ ...row, before: before.get(row.id) })),
      {
        name: chosenName(known)?.value ?? lines.findLast(({ speaker }) => speaker !== null)?.speaker ?? null,
        personId,
        companion: companionId,
        timeZone: () => this.zoneOf(personId),
        known: factsForAudience(known).filter(({ validTo }) => validTo === null),
      },
    );
  }

  /** Asks the gateway for the companion's part of these turns; empty where it does not answer. */
  private async exchangesOf(said: readonly SaidLine[]): Promise<Exchange[]> {
    const turnIds = turnsOf(said);
    const parts = Math.ceil(turnIds.length / MAX_TURNS_IN_JOB);
    const asked = Array.from({ length: parts }, async (_, n) => {
      const some = { turnIds: turnIds.slice(n * MAX_TURNS_IN_JOB, (n + 1) * MAX_TURNS_IN_JOB) };
      const answer = this.messenger.ask(gatewayContract.exchanges, some, ANSWER);
      return (await answer.catch(() => ({ exchanges: [] }))).exchanges;
    });
    return (await Promise.all(asked)).flat();
  }

  /** Asks personality for the emotions of these turns; empty where it does not answer. */
  private async feltAt(places: readonly UnreadPlace[]): Promise<ReadonlyMap<string, FeltStrength>> {
    const whose = places
      .map(({ personId, lines }) => ({ personId, turnIds: turnsOf(lines) }))
      .filter(({ turnIds }) => turnIds.length > 0);
    if (whose.length === 0) return new Map();
    const asked = this.messenger.ask(personalityContract.felt, { whose }, ANSWER);
    const { turns } = await asked.catch(() => ({ turns: [] }));
    return new Map(turns.map((felt) => [felt.turnId, felt]));
  }

  private async zoneOf(personId: string): Promise<string> {
    try {
      return (await this.messenger.ask(outreachContract.timeZone, { personId }, ANSWER)).timeZone;
    } catch {
      // A day off by some hours is better than none.
      return 'UTC';
    }
  }
}

/**
 * Chooses the next lines to read; null where there are none. DMs come last, because reading them needs the facts told
 * elsewhere.
 */
function placeToRead(whose: Pair, unread: LinesToRead, atOnce: number): UnreadPlace | null {
  const { lines } = unread;
  const audience = lines.find((line) => line.audience !== 'direct')?.audience ?? lines[0]?.audience;
  if (audience === undefined) return null;
  const own = lines.filter((line) => line.audience === audience);
  return {
    ...whose,
    ...unread,
    audience,
    lines: own,
    hasMore: own.length < lines.length || lines.length === atOnce,
  };
}

/** Plans what is stored of lines that were read. Pure. */
function planReading(
  { place, reading, exchanges }: { place: UnreadPlace; reading: Reading; exchanges: readonly Exchange[] },
  { facts, there, forgotten, withdrawn, recalled }: LockedState,
  felt: ReadonlyMap<string, FeltStrength>,
): ReadingToSave & FactPlan {
  const { personId, companionId, audience } = place;
  const of = new Map(
    place.lines.map(({ id }, n) => [
      id,
      { statements: reading.statements[n] ?? [], importance: reading.importance[n] ?? null },
    ]),
  );
  // Lines that were removed or edited meanwhile are not marked as read.
  const lines = place.lines.filter(({ id }) => there.has(id));
  const told = stillTold(lines, forgotten);
  const statementsOf = (line: SaidLine) =>
    (of.get(line.id)?.statements ?? []).filter((said) => !isWithdrawn(said, line, withdrawn));
  return {
    personId,
    companionId,
    ...planFacts(audience, factsToldBefore(facts, audience), told, statementsOf),
    lines: lines.map((line) => ({
      id: line.id,
      importance: weigh(line, of.get(line.id)?.importance ?? null, felt),
      pleasure: felt.get(line.turnId ?? '')?.pleasure ?? null,
    })),
    uses: planUses(recalled, lines, exchanges),
  };
}

/**
 * Tells whether a line states a withdrawn fact, as its first mention or as one of its later mentions. It
 * would not be stored, so it must not end another one.
 */
function isWithdrawn(
  { attribute, value }: Statement,
  { saidAt, sources }: SaidLine,
  withdrawn: readonly WithdrawnFact[],
): boolean {
  if (value === null) return false;
  const hash = factHashOf({ attribute, value, validFrom: saidAt });
  return withdrawn.some(
    (one) =>
      one.contentHash === hash ||
      (one.attribute === attribute &&
        one.value?.toLowerCase() === value.toLowerCase() &&
        sources.length > 0 &&
        sources.every((source) => one.sources.includes(source))),
  );
}

/** Drops lines whose messages were forgotten, so that facts the person took back are not read again. Pure. */
function stillTold(lines: readonly MemoryRow[], forgotten: ReadonlySet<string>): MemoryRow[] {
  return lines
    .filter(({ sources }) => sources.length === 0 || sources.some((source) => !forgotten.has(source)))
    .map((line) => ({ ...line, sources: line.sources.filter((source) => !forgotten.has(source)) }));
}

async function reword(people: People, { personId, companionId }: Pair): Promise<void> {
  const facts = await people.of(personId, (tx) => readToReword(tx, { personId, companionId }));
  await people.of(personId, (tx) => saveTexts(tx, reworded(facts)));
}

function turnsOf(said: readonly SaidLine[]): string[] {
  return [...new Set(said.flatMap(({ turnId }) => turnId ?? []))];
}
