import { present } from '@kith/contracts';
import { inverseDocumentFrequency, lengthNorm, lentShare, weightBeside } from '../../words/bm25.js';
import { TUNED } from '../../words/tuned.js';
import { dotProduct } from '../dot-product.js';
import { ASSUMED_UNLIKE, type Candidates, type Found, type IndexQuery } from '../vector-index.js';
import { LineOrder, NONE } from './line-order.js';
import { mixedCosine } from './mixed-cosine.js';
import { quantise } from './quantise.js';
import { scratchFor } from './search-scratch.js';
import { sharedString } from './shared-string.js';
import { TopRows } from './top-rows.js';
import type { MemoryScope } from '../../rows/memory-scope.js';

/** A stored point, as the exact index loads it. */
export interface StoredPoint {
  id: string;
  companionId: string;
  audience: string;
  vector: Float32Array;
  /** Counts of its terms. */
  terms: Readonly<Record<string, number>>;
  conversation: string | null;
  /** Time in milliseconds since 1970. */
  saidAt: number;
}

/** Most people have less; doubled as it fills. */
const INITIAL_ROWS = 64;
/** Bits of a term's count, which shares an integer with the row's number: room is left for eight million rows. */
const COUNT_BITS = 8;
const MAX_COUNTED = 255;
/** Bytes that V8 takes for a row's id and links, for a term's entry in a map, and for a number in a list. */
const ROW_BYTES = 200;
const TERM_BYTES = 150;
const ENTRY_BYTES = 10;

/**
 * One person's points in one space, laid out to be searched whole: vectors side by side in one array, terms in
 * an inverted list. Ten thousand points of 512 dimensions take some 10 MB and are searched in a few
 * milliseconds. Points are only ever added; a removal makes a new one.
 *
 * Vectors are held as bytes, each with a scale of its own (scalar quantisation): a quarter of the memory, for an error
 * in a cosine of less than .005. Postgres has them in full.
 */
export class PersonVectors {
  private readonly ids: string[] = [];
  private readonly companions: string[] = [];
  private readonly audiences: string[] = [];
  private readonly rowOf = new Map<string, number>();
  /** Rows that have a term, each with its count in the lowest byte. */
  private readonly postings = new Map<string, number[]>();
  private entries = 0;
  /** The terms of each. */
  private readonly lengths: number[] = [];
  /** Norms of the rows' lengths, for the weight of their terms. */
  private readonly norms: number[] = [];
  /** Parts of its share that each row lends. */
  private readonly lends: number[] = [];
  private readonly order = new LineOrder(this.ids);
  private lastAudible = { companionId: '', audience: '', rows: new Uint8Array(0) };
  private vectors: Int8Array;
  private readonly scales: number[] = [];

  constructor(readonly dimensions: number) {
    this.vectors = new Int8Array(INITIAL_ROWS * dimensions);
  }

  get size(): number {
    return this.ids.length;
  }

  /** Estimates the bytes it takes, so that a bound on many of them holds. */
  get bytes(): number {
    return (
      this.vectors.byteLength +
      this.size * ROW_BYTES +
      this.postings.size * TERM_BYTES +
      this.entries * ENTRY_BYTES
    );
  }

  /** Adds points that are not there yet. Throws when a vector has other dimensions. */
  add(points: StoredPoint[]): void {
    this.grow(this.size + points.length);
    for (const point of points) {
      if (point.vector.length !== this.dimensions) {
        throw new Error(`memory ${point.id} has ${point.vector.length} dimensions, not ${this.dimensions}`);
      }
      const row = this.size;
      this.ids.push(point.id);
      this.companions.push(sharedString(point.companionId));
      this.audiences.push(sharedString(point.audience));
      this.rowOf.set(point.id, row);
      this.scales.push(quantise(point.vector, this.vectors, row * this.dimensions));
      const length = Object.values(point.terms).reduce((sum, count) => sum + count, 0);
      for (const [term, count] of Object.entries(point.terms)) {
        const posting = this.postings.get(term) ?? [];
        posting.push((row << COUNT_BITS) | Math.min(count, MAX_COUNTED));
        this.postings.set(term, posting);
        this.entries += 1;
      }
      this.lengths.push(length);
      this.norms.push(lengthNorm(length, length));
      this.lends.push(lentShare(length));
      this.order.add(point.conversation, point.saidAt);
      this.weighMessage(row);
    }
  }

  /** Weighs a row and the other pieces of its message, which were said at the same moment, by its whole length. */
  private weighMessage(row: number): void {
    const pieces = this.order.piecesOf(row);
    if (pieces.length === 1) return;
    const message = pieces.reduce((sum, piece) => sum + (this.lengths[piece] ?? 0), 0);
    for (const piece of pieces) this.norms[piece] = lengthNorm(this.lengths[piece] ?? 0, message);
  }

  /** Searches both arms over every point the scope may hear, exactly. */
  search(
    scope: Pick<MemoryScope, 'companionId' | 'audience'>,
    { vector, terms, limit, kind }: IndexQuery,
  ): Candidates {
    const audible = this.audible(scope);
    const lexical = this.byTerms(terms, audible, limit);
    if (!vector) return { dense: [], lexical };
    if (vector.length !== this.dimensions)
      throw new Error(`the query has ${vector.length} dimensions, not ${this.dimensions}`);
    const rowsByWords = lexical.map(({ id }) => present(this.rowOf.get(id)));
    if (kind === 'semantic') return { dense: this.byMeaning(vector, audible, limit, rowsByWords), lexical };
    const among = lexical.length === limit ? rowsByWords : null;
    return { dense: this.byCosine(vector, audible, limit, among), lexical };
  }

  /** Marks the rows that the scope may hear. Kept for the next search: who talks goes on to talk. */
  private audible({ companionId, audience }: Pick<MemoryScope, 'companionId' | 'audience'>): Uint8Array {
    const held = this.lastAudible;
    const isSame = held.companionId === companionId && held.audience === audience;
    if (isSame && held.rows.length === this.size) return held.rows;
    const rows = new Uint8Array(this.size);
    if (isSame) rows.set(held.rows);
    for (let row = isSame ? held.rows.length : 0; row < rows.length; row += 1) {
      const isAudible =
        this.companions[row] === companionId && (audience === 'direct' || this.audiences[row] === audience);
      rows[row] = isAudible ? 1 : 0;
    }
    this.lastAudible = { companionId, audience, rows };
    return rows;
  }

  vectorOf(id: string): Float32Array | undefined {
    const row = this.rowOf.get(id);
    if (row === undefined) return undefined;
    const scale = this.scales[row] ?? 0;
    const start = row * this.dimensions;
    // `Float32Array.from` takes some thirty times as long.
    const vector = new Float32Array(this.dimensions);
    for (let i = 0; i < this.dimensions; i += 1) vector[i] = (this.vectors[start + i] ?? 0) * scale;
    return vector;
  }

  /** @param among rows to compare; all that are heard, when it is null */
  private byCosine(
    query: Float32Array,
    audible: Uint8Array,
    limit: number,
    among: readonly number[] | null,
  ): Found[] {
    const best = new TopRows(limit, this.ids);
    const { dimensions, size } = this;
    const vectors = this.vectors;
    const scales = this.scales;
    const compare = (row: number) =>
      best.offer(row, (scales[row] ?? 0) * dotProduct(vectors, row * dimensions, query));
    if (among) among.forEach(compare);
    else for (let row = 0; row < size; row += 1) if (audible[row] === 1) compare(row);
    return best.found();
  }

  /**
   * Cosine of each row mixed with those of the lines around it, less the mean of all: what is like every line is like
   * none. Scores the rows that were found by their words, too.
   */
  private byMeaning(
    query: Float32Array,
    audible: Uint8Array,
    limit: number,
    rowsByWords: readonly number[],
  ): Found[] {
    const { dimensions, size, vectors, scales, order, lends } = this;
    const { scores: cosines } = scratchFor(size);
    let [sum, rows] = [0, ASSUMED_UNLIKE];
    for (let row = 0; row < size; row += 1) {
      if (audible[row] === 0) continue;
      const cosine = (scales[row] ?? 0) * dotProduct(vectors, row * dimensions, query);
      cosines[row] = cosine;
      sum += cosine;
      rows += 1;
    }
    const mean = sum / rows;
    const scoreOf = (row: number): number =>
      mixedCosine(row, lends[row] ?? 0, cosines, audible, order) - mean;
    const best = new TopRows(limit, this.ids);
    for (let row = 0; row < size; row += 1) if (audible[row] === 1) best.offer(row, scoreOf(row));
    const found = best.found();
    const isFound = new Set(found.map(({ id }) => id));
    for (const row of rowsByWords) {
      const id = present(this.ids[row]);
      if (!isFound.has(id)) found.push({ id, score: scoreOf(row) });
    }
    cosines.fill(0, 0, size);
    return found.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  }

  /** BM25F: each row's own terms, and by their share those of what was said around it. */
  private byTerms(terms: readonly string[], audible: Uint8Array, limit: number): Found[] {
    const { scores, counts, scored, counted } = scratchFor(this.size);
    const { before, after } = this.order;
    const { norms, lends } = this;
    let scoredRows = 0;
    for (const term of new Set(terms)) {
      const posting = this.postings.get(term);
      if (!posting) continue;
      const idf = inverseDocumentFrequency(this.size, posting.length);
      let countedRows = 0;
      for (const entry of posting) {
        const row = entry >>> COUNT_BITS;
        // What the listener may not hear lends its words to nothing, either.
        if (audible[row] === 0) continue;
        const own = entry & MAX_COUNTED;
        if (counts[row] === 0) counted[countedRows++] = row;
        counts[row] = (counts[row] ?? 0) + own;
        const lent = own * (lends[row] ?? 0);
        // To the lines behind it, it is a line before.
        if (after[row] !== NONE) countedRows = this.lend(row, after, TUNED.before, lent, countedRows);
        if (before[row] !== NONE) countedRows = this.lend(row, before, TUNED.after, lent, countedRows);
      }
      for (let n = 0; n < countedRows; n += 1) {
        const row = counted[n] ?? 0;
        if (audible[row] === 1) {
          if (scores[row] === 0) scored[scoredRows++] = row;
          scores[row] = (scores[row] ?? 0) + idf * weightBeside(counts[row] ?? 0, norms[row] ?? 0);
        }
        counts[row] = 0;
      }
    }
    const best = new TopRows(limit, this.ids);
    for (let n = 0; n < scoredRows; n += 1) {
      const row = scored[n] ?? 0;
      best.offer(row, scores[row] ?? 0);
      scores[row] = 0;
    }
    return best.found();
  }

  /** Counts a row's term for those in one direction from it, as far as it reaches. Returns how many are counted by then. */
  private lend(
    row: number,
    links: readonly number[],
    shares: readonly number[],
    lent: number,
    countedRows: number,
  ): number {
    const { counts, counted } = scratchFor(this.size);
    let at = row;
    for (const share of shares) {
      const next = this.order.step(at, links);
      if (next === NONE) break;
      if (counts[next] === 0) counted[countedRows++] = next;
      counts[next] = (counts[next] ?? 0) + lent * share;
      at = next;
    }
    return countedRows;
  }

  private grow(rows: number): void {
    if (rows * this.dimensions <= this.vectors.length) return;
    const capacity = Math.max(rows, Math.ceil((this.vectors.length / this.dimensions) * 1.5));
    const larger = new Int8Array(capacity * this.dimensions);
    larger.set(this.vectors);
    this.vectors = larger;
  }
}
