import { present } from '@kith/contracts';
import { dotProduct } from '../dot-product.js';
import { ASSUMED_UNLIKE, byScore, type Candidates, type IndexQuery } from '../vector-index.js';
import { compareRows, MAX_INT8, widthOf, quantise } from './compare-rows.js';
import { LineOrder } from './line-order.js';
import { mixedCosine } from './mixed-cosine.js';
import { scratchFor } from './scratch-for.js';
import { sharedString } from './shared-string.js';
import { TermIndex } from './term-index.js';
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

/** Rows there is room for at first, which most people have less than; more is made as they fill. */
const INITIAL_ROWS = 64;
/** Bytes that a row's id and links take in V8. */
const ROW_BYTES = 200;

/**
 * Holds one person's points in one space so that all can be searched: vectors side by side in one array, terms in
 * inverted lists. Ten thousand points of 512 dimensions take some 10 MB and are searched in a few milliseconds. Points are
 * only added; where some are removed, it is built again.
 *
 * Vectors are held as bytes, each with a scale of its own (scalar quantisation). That takes a quarter of the memory, and
 * makes an error of less than .005 in a cosine. Postgres has them in full.
 */
export class PersonVectors {
  private readonly ids: string[] = [];
  private readonly companions: string[] = [];
  private readonly audiences: string[] = [];
  private readonly rowOf = new Map<string, number>();
  private readonly order = new LineOrder(this.ids);
  private readonly terms = new TermIndex(this.ids, this.order);
  private lastAudible = { key: '', rows: new Uint8Array(0) };
  /** Numbers of a row: its dimensions, and zeros up to the width that is compared. */
  private readonly width: number;
  private vectors: Int8Array;
  private readonly scales: number[] = [];

  constructor(readonly dimensions: number) {
    this.width = widthOf(dimensions);
    this.vectors = new Int8Array(INITIAL_ROWS * this.width);
  }

  get size(): number {
    return this.ids.length;
  }

  /** Estimates the bytes it takes, so that a bound on many of them holds. */
  get bytes(): number {
    return this.vectors.byteLength + this.heapBytes;
  }

  /** Estimates the bytes of everything but the vectors: the part that counts towards V8's heap limit. */
  get heapBytes(): number {
    return this.size * ROW_BYTES + this.terms.bytes;
  }

  /**
   * Adds points, except those it has: a load that broke off and is repeated added some. Throws when a vector has other
   * dimensions.
   */
  add(points: readonly StoredPoint[]): void {
    this.grow(this.size + points.length);
    // Each is put beside the one said before it: then any order of pages takes at most one walk for each page.
    for (const point of points.toSorted((a, b) => a.saidAt - b.saidAt)) {
      if (point.vector.length !== this.dimensions) {
        throw new Error(`memory ${point.id} has ${point.vector.length} dimensions, not ${this.dimensions}`);
      }
      if (this.rowOf.has(point.id)) continue;
      const row = this.size;
      this.ids.push(point.id);
      this.companions.push(sharedString(point.companionId));
      this.audiences.push(sharedString(point.audience));
      this.rowOf.set(point.id, row);
      this.scales.push(quantise(point.vector, this.vectors, row * this.width, MAX_INT8));
      this.order.add(point.conversation, point.saidAt);
      this.terms.add(point.terms);
    }
  }

  /** Searches both arms over every point the scope may hear, exactly. */
  search(
    scope: Pick<MemoryScope, 'companionId' | 'audience'>,
    { vector, terms, limit, kind, left = [] }: IndexQuery,
  ): Candidates {
    const audible = this.audible(scope, left);
    const lexical = this.terms.best(terms, audible, limit);
    if (!vector) return { dense: [], lexical };
    if (vector.length !== this.dimensions)
      throw new Error(`the query has ${vector.length} dimensions, not ${this.dimensions}`);
    const rowsByWords = lexical.map(({ id }) => present(this.rowOf.get(id)));
    if (kind === 'semantic') return { dense: this.byMeaning(vector, audible, limit, rowsByWords), lexical };
    const among = lexical.length === limit ? rowsByWords : null;
    return { dense: this.byCosine(vector, audible, limit, among), lexical };
  }

  /** Marks the rows that the scope may hear. Kept for the next search, which mostly is of the same scope. */
  private audible(
    { companionId, audience }: Pick<MemoryScope, 'companionId' | 'audience'>,
    left: readonly string[],
  ): Uint8Array {
    const held = this.lastAudible;
    const key = [companionId, audience, ...left].join(' ');
    const isSame = held.key === key;
    if (isSame && held.rows.length === this.size) return held.rows;
    const rows = new Uint8Array(this.size);
    if (isSame) rows.set(held.rows);
    const gone = new Set(left);
    for (let row = isSame ? held.rows.length : 0; row < rows.length; row += 1) {
      const origin = present(this.audiences[row]);
      const isAudible = (audience === 'direct' || origin === audience) && !gone.has(origin);
      rows[row] = isAudible && this.companions[row] === companionId ? 1 : 0;
    }
    this.lastAudible = { key, rows };
    return rows;
  }

  vectorOf(id: string): Float32Array | undefined {
    const row = this.rowOf.get(id);
    if (row === undefined) return undefined;
    const scale = this.scales[row] ?? 0;
    const start = row * this.width;
    // `Float32Array.from` takes some thirty times as long.
    const vector = new Float32Array(this.dimensions);
    for (let i = 0; i < this.dimensions; i += 1) vector[i] = (this.vectors[start + i] ?? 0) * scale;
    return vector;
  }

  /** @param among rows to compare; all that are heard, when it is null */
  private byCosine(query: Float32Array, audible: Uint8Array, limit: number, among: readonly number[] | null) {
    const best = new TopRows(limit, this.ids);
    if (among) {
      for (const row of among)
        best.offer(row, (this.scales[row] ?? 0) * dotProduct(this.vectors, row * this.width, query));
      return best.found();
    }
    const cosines = this.compareAll(query);
    for (let row = 0; row < this.size; row += 1) if (audible[row] === 1) best.offer(row, cosines[row] ?? 0);
    cosines.fill(0, 0, this.size);
    return best.found();
  }

  /** Computes the cosines of all rows, in an array that the caller has to fill with zeros again. */
  private compareAll(query: Float32Array): Float64Array {
    const { scores: cosines } = scratchFor(this.size);
    compareRows(query, this.vectors, cosines, this.size);
    for (let row = 0; row < this.size; row += 1) cosines[row] = (cosines[row] ?? 0) * (this.scales[row] ?? 0);
    return cosines;
  }

  /**
   * Scores each row by its cosine, mixed with those of the lines around it, less the mean of all: a question that is like
   * every line tells nothing of one. Rows that were found by their words get a score, too.
   */
  private byMeaning(query: Float32Array, audible: Uint8Array, limit: number, rowsByWords: readonly number[]) {
    const { size, order } = this;
    const { lends } = this.terms;
    const cosines = this.compareAll(query);
    let [sum, rows] = [0, ASSUMED_UNLIKE];
    for (let row = 0; row < size; row += 1) {
      if (audible[row] === 0) continue;
      sum += cosines[row] ?? 0;
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
    return found.sort(byScore);
  }

  private grow(rows: number): void {
    if (rows * this.width <= this.vectors.length) return;
    const capacity = Math.max(rows, Math.ceil((this.vectors.length / this.width) * 1.5));
    const larger = new Int8Array(capacity * this.width);
    larger.set(this.vectors);
    this.vectors = larger;
  }
}
