import { withinTime } from '@kith/contracts';
import type { Degraded, MemoryRequest } from '@kith/contracts';
import type { Database, LeftPlaces, Reader } from '@kith/database';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { Embeddings } from '../index/embeddings.js';
import type { ReindexMonitor } from '../index/reindex-monitor.js';
import { rowsForAudience } from '../facts/fact-records.js';
import type { Candidates, IndexQuery, VectorIndex } from '../index/vector-index.js';
import { decideDegraded, isEmpty } from './decide-degraded.js';
import { OCCURRENCES } from './choose-occurrences.js';
import type { SearchToExplain } from './explain-recall.js';
import { candidatesFor } from './rank-found.js';
import { readQuestion, type Question } from './read-question.js';
import type { SpeakerNames } from '../rows/speaker-names.js';
import type { UsualLanguages } from '../rows/usual-languages.js';
import { readFacts, readFound, readSaidIn, type FoundRows } from '../rows/found-rows.js';
import { searchText } from '../rows/search-text.js';

type RecallRequest = MemoryRequest<'recall'>;

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

/** Result of a search, with what could not be searched. */
export interface Search extends SearchToExplain {
  degraded: z.infer<typeof Degraded>;
}

/** Finds the memories that a question may be about. Goes on without the index, and without the question's vector. */
export class MemoryFinder {
  constructor(
    private readonly parts: {
      database: Database;
      index: VectorIndex;
      embeddings: Embeddings;
      reindexing: Pick<ReindexMonitor, 'lacking'>;
      speakers: SpeakerNames;
      usual: UsualLanguages;
      left: Pick<LeftPlaces, 'ofLate'>;
      logger: Logger;
    },
  ) {}

  /**
   * Searches, and names what is out of reach in `degraded`.
   * @param alongside called when rows are read, so that other reads can share the round trip
   */
  async search(request: RecallRequest, alongside: () => void): Promise<Search> {
    return this.withMore(request, await this.find(request, alongside));
  }

  /** Loads vectors of memories from the index; none where it does not answer in time. */
  async vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>> {
    return inTime(this.parts.index.vectors(spaceId, personId, ids)).catch(() => new Map());
  }

  /** Searches by the words and the vector of a question. */
  private async find(request: RecallRequest, alongside: () => void): Promise<Search> {
    const { parts } = this;
    const { query } = request;
    const [embedded, names, usual, left] = await Promise.all([
      parts.embeddings.query(query, EMBED_TIMEOUT_MS).catch((error: unknown) => {
        parts.logger.warn({ err: error }, 'embedding is out of reach; recalling by words');
        return null;
      }),
      parts.speakers.of(request.personId),
      parts.usual.of(request.personId),
      request.audience === 'direct' ? parts.left.ofLate() : [],
    ]);
    const question = readQuestion(query, names, new Date(request.now), usual, request.fromArchive);
    const space = embedded?.space ?? parts.embeddings.knownSpace;
    const spaceId = space?.id;
    const asked = { question, kind: space?.kind ?? 'lexical', spaceId, indexQuery: null } as const;
    const degraded = (found: Candidates | null, isLost = false) =>
      decideDegraded({
        found,
        isLost,
        isEmbedded: embedded !== null,
        isWhole: parts.reindexing.lacking === null,
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
    const searchIndex = (mayBeStale: boolean) =>
      inTime(parts.index.candidates(spaceId, request, indexQuery, { mayBeStale })).catch((error: unknown) => {
        parts.logger.warn({ err: error }, 'recalling without the index');
        return null;
      });
    const first = await searchIndex(true);
    alongside();
    // If a current index found nothing, there are no rows to read.
    const { found, ...read } =
      first && !first.isCurrent && isEmpty(first)
        ? { found: first, ...NO_ROWS }
        : await this.read(request, first, { query, notIn: spaceId }, () => searchIndex(false));
    if (!found) return byWordsAlone();
    if (!isEmpty(found)) return { ...asked, indexQuery, found, ...read, degraded: degraded(found) };
    // Nothing at all: this person has nothing here, or the index was lost and is being refilled.
    const search = await byWordsAlone();
    const marked = search.rows.filter(({ indexedIn }) => indexedIn === spaceId).map(({ id }) => id);
    // A row may have been marked, and its point written, since we looked.
    const isLost = marked.length > 0 && (await this.vectors(spaceId, request.personId, marked)).size === 0;
    return { ...search, degraded: degraded(found, isLost) };
  }

  /** Searches the rows without the index. */
  private async byWordsAlone(request: RecallRequest): Promise<FoundRows & { found: Candidates }> {
    const rows = await this.parts.database.read({ personId: request.personId }, async (tx) =>
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
    searchAgain: () => Promise<Candidates | null>,
  ): Promise<FoundRows & { found: Candidates | null }> {
    const rowsOf = async (reader: Reader, { dense, lexical }: Candidates) => {
      const ids = new Set([...dense, ...lexical].map(({ id }) => id));
      const read = await readFound(reader, request, [...ids], { ...pending, limit: TEXT_SEARCH_LIMIT });
      return { ...read, rows: await rowsForAudience(reader, request, read.rows) };
    };
    if (!found) return { found, ...NO_ROWS };
    const read = await this.parts.database.read({ personId: request.personId }, async (reader) => {
      const [isCurrent, rows] = await Promise.all([found.isCurrent?.(reader) ?? true, rowsOf(reader, found)]);
      return isCurrent ? rows : null;
    });
    if (read) return { found, ...read };
    const anew = await searchAgain();
    if (!anew) return { found: null, ...NO_ROWS };
    return {
      found: anew,
      ...(await this.parts.database.read({ personId: request.personId }, (reader) => rowsOf(reader, anew))),
    };
  }

  /** Reads what the index does not look for: lines of a time that is asked about, facts at large, and the archive. */
  private async withMore(request: RecallRequest, search: Search): Promise<Search> {
    const { time, isOverview } = search.question;
    if (time === null && !isOverview && !request.fromArchive) return search;
    const { more, archived } = await this.parts.database.read({ personId: request.personId }, async (tx) => {
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
}

/** Computes how many memories are ranked: more where all occurrences are asked for. */
export function rankedFor({ limit, passageTokens }: RecallRequest, { asksAll }: Question): number {
  return asksAll && passageTokens > 0 ? Math.max(limit, OCCURRENCES) : limit;
}
