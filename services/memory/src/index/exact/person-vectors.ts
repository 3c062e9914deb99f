import { present } from '@kith/contracts';
import { inverseDocumentFrequency, lengthNorm, lentShare, weightBeside } from '../../words/bm25.js';
import { TUNED } from '../../words/tuned.js';
import { PAUSE_MS } from '../../words/neighbours.js';
import { dotProduct } from '../dot-product.js';
import type { Candidates, Found, IndexQuery } from '../vector-index.js';
import { quantise } from './quantise.js';
import { scratchFor } from './search-scratch.js';
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
/** No row has this number. */
const NONE = -1;
/** A message of some 40,000 characters. Lines of a log without times all seem to be one, which may be any number. */
const MAX_PIECES = 32;
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
  private readonly saidAt: number[] = [];
  /** The rows said before and after each in its conversation; `NONE` at an end. */
  private readonly before: number[] = [];
  private readonly after: number[] = [];
  /** The last row of each conversation. */
  private readonly tails = new Map<string, number>();
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
      this.companions.push(shared(point.companionId));
      this.audiences.push(shared(point.audience));
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
      this.saidAt.push(point.saidAt);
      this.link(row, point.conversation);
      this.weighMessage(row);
    }
  }

  /** Puts a row into its conversation's order: nearly always at the end. */
  private link(row: number, conversation: string | null): void {
    let [earlier, later] = [NONE, NONE];
    if (conversation !== null) {
      earlier = this.tails.get(conversation) ?? NONE;
      while (earlier !== NONE && this.isLater(earlier, row))
        [earlier, later] = [this.before[earlier] ?? NONE, earlier];
      if (later === NONE) this.tails.set(conversation, row);
    }
    this.before.push(earlier);
    this.after.push(later);
    if (earlier !== NONE) this.after[earlier] = row;
    if (later !== NONE) this.before[later] = row;
  }

  /** Weighs a row and the other pieces of its message, which were said at the same moment, by its whole length. */
  private weighMessage(row: number): void {
    const pieces = [row, ...this.piecesBeside(row, this.before), ...this.piecesBeside(row, this.after)];
    if (pieces.length === 1) return;
    const message = pieces.reduce((sum, piece) => sum + (this.lengths[piece] ?? 0), 0);
    for (const piece of pieces) this.norms[piece] = lengthNorm(this.lengths[piece] ?? 0, message);
  }

  private piecesBeside(row: number, links: readonly number[]): number[] {
    const pieces: number[] = [];
    let at = links[row] ?? NONE;
    while (at !== NONE && this.saidAt[at] === this.saidAt[row] && pieces.length < MAX_PIECES) {
      pieces.push(at);
      at = links[at] ?? NONE;
    }
    return pieces;
  }

  private isLater(a: number, b: number): boolean {
    const apart = (this.saidAt[a] ?? 0) - (this.saidAt[b] ?? 0);
    return apart > 0 || (apart === 0 && present(this.ids[a]) > present(this.ids[b]));
  }

  /** Searches both arms over every point the scope may hear, exactly. */
  search(
    scope: Pick<MemoryScope, 'companionId' | 'audience'>,
    { vector, terms, limit, spellingOnly = false }: IndexQuery,
  ): Candidates {
    const audible = this.audible(scope);
    const lexical = this.byTerms(terms, audible, limit);
    if (!vector) return { dense: [], lexical };
    const among =
      spellingOnly && lexical.length === limit ? lexical.map(({ id }) => present(this.rowOf.get(id))) : null;
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
    if (query.length !== this.dimensions) {
      throw new Error(`the query has ${query.length} dimensions, not ${this.dimensions}`);
    }
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

  /** BM25F: each row's own terms, and by their share those of what was said around it. */
  private byTerms(terms: readonly string[], audible: Uint8Array, limit: number): Found[] {
    const { scores, counts, scored, counted } = scratchFor(this.size);
    const [before, after, norms, lends] = [this.before, this.after, this.norms, this.lends];
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
    const { saidAt } = this;
    let at = row;
    for (const share of shares) {
      const next = links[at] ?? NONE;
      if (next === NONE || Math.abs((saidAt[next] ?? 0) - (saidAt[at] ?? 0)) > PAUSE_MS) break;
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

/** Shares strings of companions and places, which are few: one of each, not one a row. */
const names = new Map<string, string>();
/** Strings that are shared: a MB or so. Beyond it they begin anew. */
const MAX_NAMES = 10_000;
function shared(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= MAX_NAMES) names.clear();
  names.set(name, name);
  return name;
}
