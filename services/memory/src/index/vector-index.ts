import type { EndingWriter, Reader, Writer } from '@kith/database';
import type { MemoryRow } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import type { Audience, EmbeddingSpace } from '@kith/contracts';

/** A search of both arms. */
export interface IndexQuery {
  vector: Float32Array | null;
  terms: readonly string[];
  /** Results of each arm. */
  limit: number;
  /**
   * Kind of the space. In a lexical one an index may compare only what the lexical arm found, where that is as many as
   * asked: what has none of the words is hardly alike.
   */
  kind: 'lexical' | 'semantic';
  /** Audiences to leave out of results and lent words, even in a DM: servers that the app has left. */
  left?: readonly Audience[];
}

/** Columns of its row that a point has; its neighbours in its conversation lend it their terms. */
type PointColumns = Pick<
  MemoryRow,
  'id' | 'personId' | 'companionId' | 'audience' | 'conversation' | 'saidAt'
>;

/** A memory as the index holds it: ids and numbers, no text. */
export interface IndexPoint extends PointColumns {
  /** Unit length, in the space's dimensions. */
  vector: Float32Array;
  /** Terms of its text, as `analyseText` gives them. */
  terms: readonly string[];
  /** Hash of the row that it was made of (`digestOf`). */
  digest: string;
}

/** Parts of a point that tell whether the index holds it. */
export type HeldPoint = Pick<IndexPoint, 'id' | 'terms' | 'digest'>;

/** Lines with a cosine of 0 that are counted into the mean of a person's lines, as the mean of a handful says little. */
export const ASSUMED_UNLIKE = 10;

/** A memory that one arm found. */
export interface FoundMemory {
  id: string;
  /**
   * In the lexical arm BM25F of the memory and what was said around it (`neighbours.ts`). In the dense arm its cosine; in
   * a semantic space that of the memory and what was said around it, less the mean of all that the scope may hear.
   */
  score: number;
}

/** Compares by score, the best first; equals by their ids, so that a search can be repeated. */
export function byScore(a: FoundMemory, b: FoundMemory): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

/** Each arm best first, ties by id. */
export interface Candidates {
  dense: FoundMemory[];
  lexical: FoundMemory[];
  /** Only the newest points were searched: there are too many. */
  isPart?: boolean;
  /**
   * Tells whether the points in memory that were searched are those of the store. To be called in the transaction that
   * reads the rows, which saves one. If they are not, the caller searches anew without `mayBeStale`.
   */
  isCurrent?: (reader: Reader) => Promise<boolean>;
}

/** Writes points of one person's rows. Returns a function to call once the transaction is committed. */
type WritePoints<T extends Writer> = (
  tx: T,
  personId: string,
  space: EmbeddingSpace,
  points: readonly IndexPoint[],
) => Promise<() => void>;

/** An index that is in Postgres itself: its points can be written with the rows they are of. */
export interface PointsWithin {
  /** Writes points of new rows, all at once. */
  add: WritePoints<Writer>;
  /** Writes points of rows of which some may be there, and ends the transaction. */
  replace: WritePoints<EndingWriter>;
}

/** A page of all points, and where the next one begins. */
export interface PointPage {
  points: Pick<IndexPoint, 'id' | 'personId'>[];
  next: string | null;
}

/**
 * Index in which memories are found by meaning and by words. It is derived from the rows in Postgres: it may lag behind
 * them, hold too much or be lost, so callers check every result against its row.
 *
 * Adapters throw `AppError` `unavailable` when their store is out of reach, and an ordinary error for an empty person id,
 * which would search everyone.
 */
export interface VectorIndex {
  readonly kind: 'qdrant' | 'exact';
  /** Writes points with their rows; only where the index is in Postgres. */
  readonly within?: PointsWithin;
  /** Makes room for a space. Safe to repeat; cheap after the first time. */
  ensureSpace(space: EmbeddingSpace): Promise<void>;
  /** Writes points of any people; a point that is there is replaced. Once it resolves they are found. */
  upsert(space: EmbeddingSpace, points: readonly IndexPoint[]): Promise<void>;
  /**
   * Searches both arms at once. Without a vector the dense arm stays empty, without terms the lexical arm. With
   * `mayBeStale` the answer may have `isCurrent`, which the caller has to call.
   */
  candidates(
    spaceId: string,
    scope: MemoryScope,
    query: IndexQuery,
    options?: { mayBeStale: boolean },
  ): Promise<Candidates>;
  /** Reads the vectors of these points of the person; unknown ids are left out. */
  vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>>;
  /** Removes these points of the person, or all of theirs (with one companion), from every space. Returns how many. */
  delete(personId: string, which: { ids: string[] } | { companionId: string | null }): Promise<number>;
  /** Tells the store which space recall searches, for other tools that look at it. Safe to repeat. */
  useSpace(spaceId: string): Promise<void>;
  /** Removes a space with everyone's points. A search of it then finds nothing; `ensureSpace` makes it anew. */
  dropSpace(spaceId: string): Promise<void>;
  /**
   * Finds the ids of those points that the index holds with just these terms, and of just this row where a backup may
   * bring points back: after a restore no row is marked as indexed, and after a change of spaces that was broken off some
   * are marked with the former one.
   */
  held(spaceId: string, points: readonly HeldPoint[]): Promise<Set<string>>;
  /** Counts the points in a space, of one person or of all. */
  count(spaceId: string, personId?: string): Promise<number>;
  /** Reads a page of all points, in a fixed order, and where the next page begins: for upkeep. */
  scan(spaceId: string, after: string | null, limit: number): Promise<PointPage>;
  /** Resolves when the store answers. */
  check(): Promise<void>;
}

/** Refuses an empty person id, which is a bug and must never match everyone. */
export function requirePerson(personId: string): string {
  if (!personId) throw new Error('a search of the vector index needs a person');
  return personId;
}
