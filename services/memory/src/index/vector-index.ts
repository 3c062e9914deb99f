import type { Reader, Writer } from '@kith/database';
import type { MemoryScope } from '../rows/memory-scope.js';
import type { Audience, EmbeddingSpace } from '@kith/contracts';

/** A search of both arms. */
export interface IndexQuery {
  vector: Float32Array | null;
  terms: readonly string[];
  /** Results of each arm. */
  limit: number;
  /**
   * Kind of the space. In a lexical one, where the lexical arm found as many as it may, an index may compare those only:
   * what has none of the words is hardly near.
   */
  kind: 'lexical' | 'semantic';
}

/** A memory as the index holds it: ids and numbers, no text. */
export interface IndexPoint {
  id: string;
  personId: string;
  companionId: string;
  audience: Audience;
  /** Unit length, in the space's dimensions. */
  vector: Float32Array;
  /** Terms of its text, as `analyseText` gives them. */
  terms: readonly string[];
  /** Conversation it was said in, where its neighbours lend it their terms. Null: it has none. */
  conversation: string | null;
  saidAt: Date;
}

/**
 * Lines that are like nothing, beside those of a person, where the mean of a semantic space is taken: that of a handful
 * says little.
 */
export const ASSUMED_UNLIKE = 10;

/** A memory that one arm found. */
export interface Found {
  id: string;
  /**
   * In the lexical arm BM25F of the memory and what was said around it (`neighbours.ts`). In the dense arm its cosine; in
   * a semantic space that of the memory and what was said around it, less the mean of all that the scope may hear.
   */
  score: number;
}

/** Compares by score, the best first; equals by their ids, so that a search can be repeated. */
export function byScore(a: Found, b: Found): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}

/** Each arm best first, ties by id. */
export interface Candidates {
  dense: Found[];
  lexical: Found[];
  /**
   * Compares points held in memory with the store. Asked in the transaction that reads the
   * rows, which saves every recall one of its own. If not, `fresh` candidates are.
   */
  isCurrent?: (reader: Reader) => Promise<boolean>;
}

/** An index that is in Postgres itself: its points can be written with the rows they are of. */
export interface PointsWithin {
  /**
   * Gives the statements that write points of new rows of one person's, all at once.
   * @returns what is to be called once the transaction is committed
   */
  add(
    tx: Writer,
    personId: string,
    space: EmbeddingSpace,
    points: readonly IndexPoint[],
  ): Promise<() => void>;
}

/**
 * Index in which memories are found by meaning and by words. It is derived from Postgres: it may lag behind, hold too
 * much or be lost, and whoever asks checks every result against its row.
 *
 * Adapters throw `AppError` `unavailable` when their store is out of reach, and an ordinary error for a person
 * id that is empty, which would search everyone.
 */
export interface VectorIndex {
  readonly kind: 'qdrant' | 'exact';
  /** Writes points with their rows; only where the index is in Postgres. */
  readonly within?: PointsWithin;
  /** Makes room for a space. Safe to repeat; cheap after the first time. */
  ensureSpace(space: EmbeddingSpace): Promise<void>;
  /** Writes points of any people; a point that is there is replaced. Once it resolves they are found. */
  upsert(space: EmbeddingSpace, points: IndexPoint[]): Promise<void>;
  /**
   * Both arms at once. Without a vector the dense arm stays empty, without terms the lexical arm. With `mayBeStale` the
   * answer may carry `isCurrent`, which its caller then asks.
   */
  candidates(
    spaceId: string,
    scope: MemoryScope,
    query: IndexQuery,
    options?: { mayBeStale: boolean },
  ): Promise<Candidates>;
  /** The vectors of these points of the person's; unknown ids are left out. */
  vectors(spaceId: string, personId: string, ids: string[]): Promise<Map<string, Float32Array>>;
  /** Removes from every space these points of the person's, or all of theirs (with one companion). Returns how many. */
  delete(personId: string, which: { ids: string[] } | { companionId: string | null }): Promise<number>;
  /** Says in the store which space recall goes by, where a store can: for whoever looks at it from outside. Safe to repeat. */
  useSpace(spaceId: string): Promise<void>;
  /** Removes a space with everyone's points. What is asked of it then finds nothing; `ensureSpace` makes it anew. */
  dropSpace(spaceId: string): Promise<void>;
  /**
   * Ids of those points that are held with just these terms, whatever the rows say: after a restore nothing is marked as
   * indexed. Only where the index is kept apart from the rows.
   */
  held?(spaceId: string, points: readonly Pick<IndexPoint, 'id' | 'terms'>[]): Promise<Set<string>>;
  /** Points in a space, of one person or of all. */
  count(spaceId: string, personId?: string): Promise<number>;
  /** For upkeep: a page of the points there are, in an order that stays, and where the next begins. */
  scan(
    spaceId: string,
    after: string | null,
    limit: number,
  ): Promise<{ points: { id: string; personId: string }[]; next: string | null }>;
  /** Resolves when the store answers. */
  check(): Promise<void>;
}

/** A person id is what keeps people apart: an empty one is a bug, never a wildcard. */
export function requirePerson(personId: string): string {
  if (!personId) throw new Error('a search of the vector index needs a person');
  return personId;
}
