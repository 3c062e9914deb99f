import type { Degraded, RecalledMemory, MemoryRequest, MemoryAnswer } from '@kith/contracts';
import type { Database, LeftPlaces, Reader } from '@kith/database';
import { withinTime } from '@kith/messaging';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Embeddings } from '../index/embeddings.js';
import type { ReindexMonitor } from '../index/reindex-monitor.js';
import { rowsForAudience } from '../facts/fact-records.js';
import type { Candidates, IndexQuery, VectorIndex } from '../index/vector-index.js';
import { analyseText } from '../words/analyse-text.js';
import { decideDegraded, isEmpty } from './decide-degraded.js';
import { OCCURRENCES } from './choose-occurrences.js';
import { explainRecall, type SearchToExplain } from './explain-recall.js';
import { once } from './once.js';
import { isToldIn, readPromptParts, readCoreParts } from './prompt-parts.js';
import { candidatesFor, poolFor, rankFound, type RowToRank } from './rank-found.js';
import { chooseMemories, MAX_TOLD, type Ranked } from './memory-ranking.js';
import { readQuestion, type Question } from './read-question.js';
import type { SpeakerNames } from '../rows/speaker-names.js';
import type { UsualLanguages } from '../rows/usual-languages.js';
import type { UseCounter } from './use-counter.js';
import { readFacts, readFound, readSaidIn, type FoundRows } from '../rows/found-rows.js';
import { searchText } from '../rows/search-text.js';
import { viewOf, type MemoryRow } from '../rows/memory-row.js';
import { dotProduct } from '../index/dot-product.js';

type RecallRequest = MemoryRequest<'recall'>;
type RecallResponse = MemoryAnswer<'recall'>;

/** Time for a question's vector: past it recall goes by words alone. A recall has 3 s in all. */
const EMBED_TIMEOUT_MS = 1_200;
/** Time for the index: it may have to load the person from Postgres first, and then has them for the next recall. */
const INDEX_TIMEOUT_MS = 1_300;
const inTime = <T>(answer: Promise<T>): Promise<T> =>
  withinTime(answer, INDEX_TIMEOUT_MS, () => new Error(`no answer within ${INDEX_TIMEOUT_MS} ms`));
/** Rows that words alone may bring in. */
const TEXT_SEARCH_LIMIT = 200;
/** Rows that a time alone may bring in: the most important that were said in it. */
const TIME_SEARCH_LIMIT = 60;
/** Facts among which an answer to "what do you know about me?" chooses. */
const OVERVIEW_LIMIT = 40;

const NO_ROWS: FoundRows = { rows: [], byText: new Set() };

interface Search extends SearchToExplain {
  degraded: z.infer<typeof Degraded>;
}

/** Finds memories worth telling now that this audience may hear. */
export class Recaller {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly reindexing: Pick<ReindexMonitor, 'lacking'>,
    private readonly uses: UseCounter,
    private readonly speakers: SpeakerNames,
    private readonly usual: UsualLanguages,
    private readonly left: Pick<LeftPlaces, 'ofLate'>,
    private readonly logger: Logger,
  ) {}

  /** Recalls, best first, with the parts of each score. What is out of reach is named in `degraded`, never thrown. */
  async recall(request: RecallRequest): Promise<RecallResponse> {
    const started = performance.now();
    const coreParts = once(() => {
      const read = readCoreParts(this.database, request);
      // Where the search fails first, nobody awaits it.
      read.catch(() => undefined);
      return read;
    });
    const search = await this.withMore(request, await this.search(request, () => void coreParts()));
    const now = new Date(request.now);
    const all = rankFound(search, { ...request, limit: rankedFor(request, search.question), now });
    const { limit, maxTokens, told } = request;
    const isTold = isToldIn(told);
    const pool = withFew(all.pool, isTold).slice(0, poolFor(limit));
    const weighed = new Set(pool);
    const ranked = {
      ...all,
      pool,
      beyond: [...all.pool.filter((each) => !weighed.has(each)), ...all.beyond],
    };
    const similarity = await this.similarity(request.personId, search, ranked.pool);
    const tooLong = new Set<string>();
    const bounds = { limit, maxTokens, isTold };
    const chosen = chooseMemories(ranked.pool, bounds, similarity, ({ id }) => tooLong.add(id));
    const ids = chosen.map(({ candidate }) => candidate.id);
    if (request.countAsUse && ids.length > 0) this.uses.add(request.personId, ids, now);
    const { question, kind } = search;
    const found = { chosen, ranked: all.pool };
    const prompt = await readPromptParts(this.database, request, question, found, await coreParts());
    const { database, index, left } = this;
    const { passages } = prompt;
    const done = { question, kind, now, ranked, chosen, tooLong, similarity, passages };
    return {
      ...prompt,
      memories: chosen.map(({ candidate, why }): RecalledMemory => ({ ...viewOf(candidate), why })),
      explained:
        request.explain === 0 ? null : await explainRecall({ database, index, left }, request, search, done),
      degraded: search.degraded,
      tookMs: performance.now() - started,
    };
  }

  /** Reads what the index does not look for: lines of a time that is asked about, facts at large, and the archive. */
  private async withMore(request: RecallRequest, search: Search): Promise<Search> {
    const { time, isOverview } = search.question;
    if (time === null && !isOverview && !request.fromArchive) return search;
    const { more, archived } = await this.database.read({ personId: request.personId }, async (tx) => {
      const byTime = time === null ? [] : await readSaidIn(tx, request, time, TIME_SEARCH_LIMIT);
      const facts = isOverview ? await readFacts(tx, request, OVERVIEW_LIMIT) : [];
      const archived = request.fromArchive
        ? await searchText(tx, request, request.query, { limit: TEXT_SEARCH_LIMIT, shelf: 'archive' })
        : [];
      return { more: await rowsForAudience(tx, request, [...byTime, ...facts, ...archived]), archived };
    });
    const rows = new Map([...search.rows, ...more].map((row) => [row.id, row]));
    return {
      ...search,
      rows: [...rows.values()],
      byText: new Set([...search.byText, ...archived.map(({ id }) => id)]),
    };
  }

  /** @param alongside called when rows are read, so that other reads can share the round trip */
  private async search(request: RecallRequest, alongside: () => void): Promise<Search> {
    const { query } = request;
    const [embedded, names, usual, left] = await Promise.all([
      this.embeddings.query(query, EMBED_TIMEOUT_MS).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'embedding is out of reach; recalling by words');
        return null;
      }),
      this.speakers.of(request.personId),
      this.usual.of(request.personId),
      request.audience === 'direct' ? this.left.ofLate() : [],
    ]);
    const speakers = names.map(({ name }) => name);
    const own = names.flatMap(({ name, isOwn }) => (isOwn ? name : []));
    const question = readQuestion(query, speakers, new Date(request.now), usual, own, request.fromArchive);
    const space = embedded?.space ?? this.embeddings.knownSpace;
    const spaceId = space?.id;
    const asked = { question, kind: space?.kind ?? 'lexical', spaceId, indexQuery: null } as const;
    const degraded = (found: Candidates | null, isLost = false) =>
      decideDegraded({
        found,
        isLost,
        isEmbedded: embedded !== null,
        isWhole: this.reindexing.lacking === null,
      });
    // The index is out of reach, or no space was ever heard of: the rows are all there is.
    const byWordsAlone = async () => ({
      ...asked,
      ...(await this.byWordsAlone(request)),
      degraded: degraded(null),
    });
    if (spaceId === undefined) return byWordsAlone();
    const indexQuery: IndexQuery = {
      vector: embedded?.vector ?? null,
      terms: question.terms,
      limit: candidatesFor(rankedFor(request, question)),
      kind: asked.kind,
      left,
    };
    const look = (mayBeStale: boolean) =>
      inTime(this.index.candidates(spaceId, request, indexQuery, { mayBeStale })).catch((error: unknown) => {
        this.logger.warn({ err: error }, 'recalling without the index');
        return null;
      });
    const first = await look(true);
    alongside();
    // If a current index found nothing, there are no rows to read.
    const { found, ...read } =
      first && !first.isCurrent && isEmpty(first)
        ? { found: first, ...NO_ROWS }
        : await this.read(request, first, { query, notIn: spaceId }, () => look(false));
    if (!found) return byWordsAlone();
    if (!isEmpty(found)) return { ...asked, indexQuery, found, ...read, degraded: degraded(found) };
    // Nothing at all: this person has nothing here, or the index was lost and is being refilled.
    const search = await byWordsAlone();
    const marked = search.rows.filter(({ indexedIn }) => indexedIn === spaceId);
    const isLost = marked.length > 0 && !(await this.holdsAny(spaceId, request.personId, marked));
    return { ...search, degraded: degraded(found, isLost) };
  }

  /** Searches the rows without the index. */
  private async byWordsAlone(request: RecallRequest): Promise<FoundRows & { found: Candidates }> {
    const rows = await this.database.read({ personId: request.personId }, async (tx) =>
      rowsForAudience(
        tx,
        request,
        await searchText(tx, request, request.query, { limit: TEXT_SEARCH_LIMIT }),
      ),
    );
    return { found: { dense: [], lexical: [] }, rows, byText: new Set(rows.map(({ id }) => id)) };
  }

  /** Loads the candidates' rows; searches again if the cached index was stale. */
  private async read(
    request: RecallRequest,
    found: Candidates | null,
    pending: { query: string; notIn: string },
    lookAgain: () => Promise<Candidates | null>,
  ): Promise<FoundRows & { found: Candidates | null }> {
    const rowsOf = async (reader: Reader, { dense, lexical }: Candidates) => {
      const ids = new Set([...dense, ...lexical].map(({ id }) => id));
      const read = await readFound(reader, request, [...ids], { ...pending, limit: TEXT_SEARCH_LIMIT });
      return { ...read, rows: await rowsForAudience(reader, request, read.rows) };
    };
    if (!found) return { found, ...NO_ROWS };
    const read = await this.database.read({ personId: request.personId }, async (reader) => {
      const [isCurrent, rows] = await Promise.all([found.isCurrent?.(reader) ?? true, rowsOf(reader, found)]);
      return isCurrent ? rows : null;
    });
    if (read) return { found, ...read };
    const anew = await lookAgain();
    if (!anew) return { found: null, ...NO_ROWS };
    return {
      found: anew,
      ...(await this.database.read({ personId: request.personId }, (reader) => rowsOf(reader, anew))),
    };
  }

  /** Tells whether the index has one of these by now: its row may have been marked, and its point written, since we looked. */
  private async holdsAny(spaceId: string, personId: string, rows: MemoryRow[]): Promise<boolean> {
    const ids = rows.map(({ id }) => id);
    const held = await inTime(this.index.vectors(spaceId, personId, ids)).catch(() => null);
    return held !== null && held.size > 0;
  }

  /** Measures how alike two memories are: by their vectors where both are known, else by the words they share. */
  private async similarity(
    personId: string,
    { found, spaceId }: Search,
    pool: Ranked<RowToRank>[],
  ): Promise<(a: RowToRank, b: RowToRank) => number> {
    const inIndex = new Set([...found.dense, ...found.lexical].map(({ id }) => id));
    const ids = pool.map(({ candidate }) => candidate.id).filter((id) => inIndex.has(id));
    const nothing = new Map<string, Float32Array>();
    const vectors =
      ids.length === 0 || spaceId === undefined
        ? nothing
        : await inTime(this.index.vectors(spaceId, personId, ids)).catch(() => nothing);
    const words = new Map<string, Set<string>>();
    const wordsOf = ({ id, text }: RowToRank): Set<string> => {
      const known = words.get(id) ?? new Set(analyseText(text));
      words.set(id, known);
      return known;
    };
    return (a, b) => {
      const [va, vb] = [vectors.get(a.id), vectors.get(b.id)];
      return va && vb ? Math.max(0, dotProduct(va, 0, vb)) : sharedWords(wordsOf(a), wordsOf(b));
    };
  }
}

/** Memories that the prompt already has; the few to be named come from these. */
const TOLD_POOL = poolFor(MAX_TOLD);

/** Leaves out what the prompt already tells, except the best. */
function withFew(pool: readonly Ranked<RowToRank>[], isTold: (row: RowToRank) => boolean) {
  let told = 0;
  return pool.filter(({ candidate }) => !isTold(candidate) || told++ < TOLD_POOL);
}

/** Computes how many memories are ranked: more where all occurrences are asked for. */
function rankedFor({ limit, passageTokens }: RecallRequest, { asksAll }: Question): number {
  return asksAll && passageTokens > 0 ? Math.max(limit, OCCURRENCES) : limit;
}

function sharedWords(a: Set<string>, b: Set<string>): number {
  const common = [...a].filter((word) => b.has(word)).length;
  return common === 0 ? 0 : common / (a.size + b.size - common);
}
