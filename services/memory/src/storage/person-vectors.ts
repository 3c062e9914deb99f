import { inverseDocumentFrequency, lengthNorm, weightBeside } from './bm25.js';
import { TUNED } from '../recall/tuned.js';
import { PAUSE_MS } from './neighbours.js';
import type { Candidates, Found, IndexQuery, IndexScope } from './vector-index.js';

/** A stored point, as the exact index loads it. */
export interface StoredPoint {
  id: string;
  companionId: string;
  audience: string;
  vector: Float32Array;
  /** How often each term occurs. */
  terms: Readonly<Record<string, number>>;
  conversation: string | null;
  /** In milliseconds since 1970. */
  saidAt: number;
}

const INITIAL_ROWS = 64;
const NONE = -1;
/** The largest byte that a component becomes. */
const STEPS = 127;
/** A row's number and the count of a term in it share one integer: that is room for eight million rows. */
const COUNT_BITS = 8;
const MOST_COUNTED = 255;
/** What V8 takes for a row's id and links, for a term's entry in a map, and for a number in a list. */
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
  readonly #ids: string[] = [];
  readonly #companions: string[] = [];
  readonly #audiences: string[] = [];
  readonly #rowOf = new Map<string, number>();
  /** Of each term the rows that have it, each with its count in the lowest byte. */
  readonly #postings = new Map<string, number[]>();
  #entries = 0;
  /** What the length of each adds to the weight of its terms. */
  readonly #norms: number[] = [];
  readonly #saidAt: number[] = [];
  /** The rows said before and after each in its conversation; `NONE` at an end. */
  readonly #before: number[] = [];
  readonly #after: number[] = [];
  /** The last row of each conversation. */
  readonly #tails = new Map<string, number>();
  #lastHeard = { companionId: '', audience: '', rows: new Uint8Array(0) };
  #vectors: Int8Array;
  readonly #scales: number[] = [];

  constructor(readonly dimensions: number) {
    this.#vectors = new Int8Array(INITIAL_ROWS * dimensions);
  }

  get size(): number {
    return this.#ids.length;
  }

  /** About what it takes, so that a bound on many of them holds. */
  get bytes(): number {
    return (
      this.#vectors.byteLength +
      this.size * ROW_BYTES +
      this.#postings.size * TERM_BYTES +
      this.#entries * ENTRY_BYTES
    );
  }

  /** Adds points that are not there yet. Throws when a vector has other dimensions. */
  add(points: StoredPoint[]): void {
    this.#grow(this.size + points.length);
    for (const point of points) {
      if (point.vector.length !== this.dimensions) {
        throw new Error(`memory ${point.id} has ${point.vector.length} dimensions, not ${this.dimensions}`);
      }
      const row = this.size;
      this.#ids.push(point.id);
      this.#companions.push(shared(point.companionId));
      this.#audiences.push(shared(point.audience));
      this.#rowOf.set(point.id, row);
      this.#scales.push(quantise(point.vector, this.#vectors, row * this.dimensions));
      const length = Object.values(point.terms).reduce((sum, count) => sum + count, 0);
      for (const [term, count] of Object.entries(point.terms)) {
        const posting = this.#postings.get(term) ?? [];
        posting.push((row << COUNT_BITS) | Math.min(count, MOST_COUNTED));
        this.#postings.set(term, posting);
        this.#entries += 1;
      }
      this.#norms.push(lengthNorm(length));
      this.#saidAt.push(point.saidAt);
      this.#link(row, point.conversation);
    }
  }

  /** Puts a row into its conversation's order: nearly always at the end. */
  #link(row: number, conversation: string | null): void {
    let [earlier, later] = [NONE, NONE];
    if (conversation !== null) {
      earlier = this.#tails.get(conversation) ?? NONE;
      while (earlier !== NONE && this.#isLater(earlier, row))
        [earlier, later] = [this.#before[earlier]!, earlier];
      if (later === NONE) this.#tails.set(conversation, row);
    }
    this.#before.push(earlier);
    this.#after.push(later);
    if (earlier !== NONE) this.#after[earlier] = row;
    if (later !== NONE) this.#before[later] = row;
  }

  #isLater(a: number, b: number): boolean {
    const apart = this.#saidAt[a]! - this.#saidAt[b]!;
    return apart > 0 || (apart === 0 && this.#ids[a]! > this.#ids[b]!);
  }

  /** Both arms over every point the scope may hear, exactly. */
  search(
    scope: Pick<IndexScope, 'companionId' | 'audience'>,
    { vector, terms, limit, spellingOnly = false }: IndexQuery,
  ): Candidates {
    const heard = this.#heard(scope);
    const lexical = this.#byTerms(terms, heard, limit);
    if (!vector) return { dense: [], lexical };
    const among =
      spellingOnly && lexical.length === limit ? lexical.map(({ id }) => this.#rowOf.get(id)!) : null;
    return { dense: this.#byCosine(vector, heard, limit, among), lexical };
  }

  /** Of each row whether the scope may hear it: looked at for every term it has. Kept, as who talks goes on to talk. */
  #heard({ companionId, audience }: Pick<IndexScope, 'companionId' | 'audience'>): Uint8Array {
    const held = this.#lastHeard;
    const isSame = held.companionId === companionId && held.audience === audience;
    if (isSame && held.rows.length === this.size) return held.rows;
    const rows = new Uint8Array(this.size);
    if (isSame) rows.set(held.rows);
    for (let row = isSame ? held.rows.length : 0; row < rows.length; row += 1) {
      const isHeard =
        this.#companions[row] === companionId && (audience === 'direct' || this.#audiences[row] === audience);
      rows[row] = isHeard ? 1 : 0;
    }
    this.#lastHeard = { companionId, audience, rows };
    return rows;
  }

  vectorOf(id: string): Float32Array | undefined {
    const row = this.#rowOf.get(id);
    if (row === undefined) return undefined;
    const scale = this.#scales[row]!;
    const start = row * this.dimensions;
    // `Float32Array.from` takes some thirty times as long.
    const vector = new Float32Array(this.dimensions);
    for (let i = 0; i < this.dimensions; i += 1) vector[i] = this.#vectors[start + i]! * scale;
    return vector;
  }

  /** @param among rows to compare; all that are heard, when it is null */
  #byCosine(query: Float32Array, heard: Uint8Array, limit: number, among: readonly number[] | null): Found[] {
    if (query.length !== this.dimensions) {
      throw new Error(`the query has ${query.length} dimensions, not ${this.dimensions}`);
    }
    const best = new Best(limit, this.#ids);
    const { dimensions, size } = this;
    const vectors = this.#vectors;
    const scales = this.#scales;
    const compare = (row: number) =>
      best.offer(row, scales[row]! * dotProduct(vectors, row * dimensions, query));
    if (among) among.forEach(compare);
    else for (let row = 0; row < size; row += 1) if (heard[row] === 1) compare(row);
    return best.found();
  }

  /** BM25F: each row's own terms, and by their share those of what was said around it. */
  #byTerms(terms: string[], heard: Uint8Array, limit: number): Found[] {
    const { scores, counts, scored, counted } = scratchFor(this.size);
    const [before, after, norms] = [this.#before, this.#after, this.#norms];
    let scoredRows = 0;
    for (const term of new Set(terms)) {
      const posting = this.#postings.get(term);
      if (!posting) continue;
      const idf = inverseDocumentFrequency(this.size, posting.length);
      let countedRows = 0;
      for (const entry of posting) {
        const row = entry >>> COUNT_BITS;
        // What the listener may not hear lends its words to nothing, either.
        if (heard[row] === 0) continue;
        const own = entry & MOST_COUNTED;
        if (counts[row] === 0) counted[countedRows++] = row;
        counts[row]! += own;
        // To the lines behind it, it is a line before.
        if (after[row] !== NONE) countedRows = this.#lend(row, after, TUNED.before, own, countedRows);
        if (before[row] !== NONE) countedRows = this.#lend(row, before, TUNED.after, own, countedRows);
      }
      for (let n = 0; n < countedRows; n += 1) {
        const row = counted[n]!;
        if (heard[row] === 1) {
          if (scores[row] === 0) scored[scoredRows++] = row;
          scores[row]! += idf * weightBeside(counts[row]!, norms[row]!);
        }
        counts[row] = 0;
      }
    }
    const best = new Best(limit, this.#ids);
    for (let n = 0; n < scoredRows; n += 1) {
      const row = scored[n]!;
      best.offer(row, scores[row]!);
      scores[row] = 0;
    }
    return best.found();
  }

  /** Counts a row's term for those in one direction from it, as far as it reaches. Returns how many are counted by then. */
  #lend(
    row: number,
    links: readonly number[],
    shares: readonly number[],
    own: number,
    countedRows: number,
  ): number {
    const { counts, counted } = scratch;
    let at = row;
    for (const share of shares) {
      const next = links[at]!;
      if (next === NONE || Math.abs(this.#saidAt[next]! - this.#saidAt[at]!) > PAUSE_MS) break;
      if (counts[next] === 0) counted[countedRows++] = next;
      counts[next]! += own * share;
      at = next;
    }
    return countedRows;
  }

  #grow(rows: number): void {
    if (rows * this.dimensions <= this.#vectors.length) return;
    const capacity = Math.max(rows, Math.ceil((this.#vectors.length / this.dimensions) * 1.5));
    const larger = new Int8Array(capacity * this.dimensions);
    larger.set(this.#vectors);
    this.#vectors = larger;
  }
}

/**
 * What a search notes of each row, and the rows it noted something of: a search leaves the numbers at zero, so that the
 * next one need not make its own.
 */
let scratch = newScratch(0);

function newScratch(rows: number) {
  return {
    scores: new Float64Array(rows),
    counts: new Float64Array(rows),
    scored: new Int32Array(rows),
    counted: new Int32Array(rows),
  };
}

function scratchFor(rows: number): typeof scratch {
  if (scratch.scores.length < rows) scratch = newScratch(rows);
  return scratch;
}

/** Writes a vector as bytes, from `start` on. Returns what one step of a byte is worth. */
function quantise(vector: Float32Array, into: Int8Array, start: number): number {
  let most = 0;
  for (const component of vector) most = Math.max(most, Math.abs(component));
  const scale = most === 0 ? 1 : most / STEPS;
  for (let i = 0; i < vector.length; i += 1) into[start + i] = Math.round(vector[i]! / scale);
  return scale;
}

/** Names of companions and places are few: one string of each, not one a row. */
const names = new Map<string, string>();
const MOST_NAMES = 10_000;
function shared(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MOST_NAMES) names.clear();
  names.set(name, name);
  return name;
}

/**
 * The dot product of a vector with the one that begins at `start` among others laid end to end. Four sums at a time:
 * the engine keeps them in registers, at some three times the speed of one.
 */
export function dotProduct(vectors: Float32Array | Int8Array, start: number, query: Float32Array): number {
  let a = 0;
  let b = 0;
  let c = 0;
  let d = 0;
  let i = 0;
  for (; i + 3 < query.length; i += 4) {
    a += vectors[start + i]! * query[i]!;
    b += vectors[start + i + 1]! * query[i + 1]!;
    c += vectors[start + i + 2]! * query[i + 2]!;
    d += vectors[start + i + 3]! * query[i + 3]!;
  }
  for (; i < query.length; i += 1) a += vectors[start + i]! * query[i]!;
  return a + b + c + d;
}

/** The best `limit` of many offers, without sorting them all. */
class Best {
  readonly #kept: { row: number; score: number }[] = [];
  /** The score of the last one kept, once there are enough. */
  #least = -Infinity;

  constructor(
    readonly limit: number,
    readonly ids: readonly string[],
  ) {}

  offer(row: number, score: number): void {
    // Most offers end here, so it makes nothing.
    if (score < this.#least) return;
    let at = this.#kept.length;
    while (at > 0 && this.#before(row, score, this.#kept[at - 1]!)) at -= 1;
    this.#kept.splice(at, 0, { row, score });
    if (this.#kept.length > this.limit) this.#kept.pop();
    if (this.#kept.length === this.limit) this.#least = this.#kept.at(-1)!.score;
  }

  found(): Found[] {
    return this.#kept.map(({ row, score }) => ({ id: this.ids[row]!, score }));
  }

  #before(row: number, score: number, other: { row: number; score: number }): boolean {
    return score > other.score || (score === other.score && this.ids[row]! < this.ids[other.row]!);
  }
}
