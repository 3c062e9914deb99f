import {
  inverseDocumentFrequency,
  lengthNorm,
  lentShare,
  maxWeight,
  weightBeside,
} from '../../words/bm25.js';
import { TUNED } from '../../words/tuned.js';
import type { FoundMemory } from '../vector-index.js';
import { NONE, type LineOrder } from './line-order.js';
import { scratchFor } from './scratch-for.js';
import { nthScore, TopRows } from './top-rows.js';

/** Bits of a term's count, which shares an integer with the row's number: that leaves room for eight million rows. */
const COUNT_BITS = 8;
const MAX_COUNTED = (1 << COUNT_BITS) - 1;
/** Bytes in V8, as measured: of a term, of each of its characters, of a list, and of a number in one. */
const TERM_BYTES = 80;
const CHARACTER_BYTES = 2;
const LIST_BYTES = 60;
const ENTRY_BYTES = 10;
/** Rows up to which a list is made anew for each, which takes just the room it needs: V8 adds room for 16 at a time. */
const SHORT_LIST = 16;
/** Entries of a list that are read in the time it takes to look up a row in it, with the rows around. */
const LOOKUP_ENTRIES = 4;

/** Entries that are read in the time it takes to find out whether they have to be. */
const MIN_SKIPPED = 2_000;

/** Rows that have a term, rising, each with its count in the lowest byte. */
type Posting = readonly number[];

interface TermList {
  posting: Posting;
  idf: number;
}

/** Inverted lists of one person's terms. Rows are numbered as they are added. */
export class TermIndex {
  /** Rows of each term; a number for a term of one row, as most are. */
  private readonly postings = new Map<string, number | number[]>();
  private entries = 0;
  private lists = 0;
  private characters = 0;
  /** Terms of each row. */
  private readonly lengths: number[] = [];
  /** Norms of the rows' lengths, for the weight of their terms. */
  private readonly norms: number[] = [];
  /** Share of its terms that each row lends. */
  readonly lends: number[] = [];

  constructor(
    private readonly ids: readonly string[],
    private readonly order: LineOrder,
  ) {}

  /** Estimates the bytes it takes. */
  get bytes(): number {
    const terms = this.postings.size * TERM_BYTES + this.characters * CHARACTER_BYTES;
    return terms + this.lists * LIST_BYTES + this.entries * ENTRY_BYTES;
  }

  /** Adds the counted terms of the next row, which has its place in the order already. */
  add(terms: Readonly<Record<string, number>>): void {
    const row = this.lengths.length;
    let length = 0;
    for (const [term, count] of Object.entries(terms)) {
      this.addEntry(term, (row << COUNT_BITS) | Math.min(count, MAX_COUNTED));
      length += count;
    }
    this.lengths.push(length);
    this.norms.push(lengthNorm(length, length));
    this.lends.push(lentShare(length));
    this.weighMessage(row);
  }

  private addEntry(term: string, entry: number): void {
    const posting = this.postings.get(term);
    if (posting === undefined) {
      this.postings.set(term, entry);
      this.characters += term.length;
      return;
    }
    if (typeof posting === 'number') {
      this.postings.set(term, [posting, entry]);
      this.lists += 1;
      this.entries += 2;
      return;
    }
    if (posting.length < SHORT_LIST) this.postings.set(term, [...posting, entry]);
    else posting.push(entry);
    this.entries += 1;
  }

  /** Weighs a row and the other pieces of its message, which were said at the same moment, by the message's length. */
  private weighMessage(row: number): void {
    const pieces = this.order.piecesOf(row);
    if (pieces.length === 1) return;
    const message = pieces.reduce((sum, piece) => sum + (this.lengths[piece] ?? 0), 0);
    for (const piece of pieces) this.norms[piece] = lengthNorm(this.lengths[piece] ?? 0, message);
  }

  /**
   * Finds the best rows by BM25F: by each row's own terms, and by a share of those around it. Exact, though the lists of
   * common terms are not all read. Once none but rows with rarer terms can be among the best, common ones are looked up
   * for those rows only (MaxScore; Turtle and Flood 1995).
   */
  best(terms: readonly string[], audible: Uint8Array, limit: number): FoundMemory[] {
    const { scores, scored } = scratchFor(this.ids.length);
    const lists = this.rarestFirst(terms);
    // The most that all lists from here on can add to a score.
    let open = lists.reduce((sum, { idf }) => sum + maxWeight() * idf, 0);
    let scoredRows = 0;
    let isClosed = false;
    for (const list of lists) {
      if (!isClosed && scoredRows >= limit && list.posting.length >= MIN_SKIPPED) {
        // A row with less is none of the best, whatever the open lists add.
        const least = nthScore(scores, scored.subarray(0, scoredRows), limit) - open;
        const inReach = least > 0 ? this.countFrom(least, scoredRows) : Infinity;
        isClosed = inReach * LOOKUP_ENTRIES < list.posting.length;
        if (isClosed) scoredRows = this.keepFrom(least, scoredRows);
      }
      if (isClosed) this.lookUp(list, audible, scoredRows);
      else scoredRows = this.readAll(list, audible, scoredRows);
      open -= maxWeight() * list.idf;
    }
    const best = this.bestOf(scoredRows, limit);
    for (let n = 0; n < scoredRows; n += 1) scores[scored[n] ?? 0] = 0;
    return best.found();
  }

  private countFrom(least: number, scoredRows: number): number {
    const { scores, scored } = scratchFor(this.ids.length);
    let count = 0;
    for (let n = 0; n < scoredRows; n += 1) if ((scores[scored[n] ?? 0] ?? 0) >= least) count += 1;
    return count;
  }

  /** Drops rows with a lower score. Returns how many are left. */
  private keepFrom(least: number, scoredRows: number): number {
    const { scores, scored } = scratchFor(this.ids.length);
    let kept = 0;
    for (let n = 0; n < scoredRows; n += 1) {
      const row = scored[n] ?? 0;
      if ((scores[row] ?? 0) >= least) scored[kept++] = row;
      else scores[row] = 0;
    }
    return kept;
  }

  private rarestFirst(terms: readonly string[]): TermList[] {
    return [...new Set(terms)]
      .flatMap((term) => {
        const held = this.postings.get(term);
        const posting = typeof held === 'number' ? [held] : held;
        return posting ? [{ posting, idf: inverseDocumentFrequency(this.ids.length, posting.length) }] : [];
      })
      .sort((a, b) => b.idf - a.idf);
  }

  private bestOf(scoredRows: number, limit: number): TopRows {
    const { scores, scored } = scratchFor(this.ids.length);
    const best = new TopRows(limit, this.ids);
    for (let n = 0; n < scoredRows; n += 1) {
      const row = scored[n] ?? 0;
      best.offer(row, scores[row] ?? 0);
    }
    return best;
  }

  /** Adds a term's weight to the rows that have a score. */
  private lookUp({ posting, idf }: TermList, audible: Uint8Array, scoredRows: number): void {
    const { scores, scored } = scratchFor(this.ids.length);
    for (let n = 0; n < scoredRows; n += 1) {
      const row = scored[n] ?? 0;
      const count =
        countIn(posting, row) +
        this.countBeside(row, this.order.before, TUNED.before, posting, audible) +
        this.countBeside(row, this.order.after, TUNED.after, posting, audible);
      scores[row] = (scores[row] ?? 0) + idf * weightBeside(count, this.norms[row] ?? 0);
    }
  }

  /** Counts what a row is lent of a term from one direction. */
  private countBeside(
    row: number,
    links: readonly number[],
    shares: readonly number[],
    posting: Posting,
    audible: Uint8Array,
  ): number {
    let at = row;
    let count = 0;
    for (const share of shares) {
      at = this.order.step(at, links);
      if (at === NONE) break;
      if (audible[at] === 1) count += countIn(posting, at) * (this.lends[at] ?? 0) * share;
    }
    return count;
  }

  /** Adds a term's weight to all rows that have it or are lent it. Returns how many rows have a score by then. */
  private readAll({ posting, idf }: TermList, audible: Uint8Array, scoredBefore: number): number {
    const { scores, counts, scored, counted } = scratchFor(this.ids.length);
    const { before, after } = this.order;
    const { norms, lends } = this;
    let scoredRows = scoredBefore;
    let countedRows = 0;
    for (const entry of posting) {
      const row = entry >>> COUNT_BITS;
      // A row that the listener may not hear lends no words, either.
      if (audible[row] === 0) continue;
      const own = entry & MAX_COUNTED;
      if (counts[row] === 0) counted[countedRows++] = row;
      counts[row] = (counts[row] ?? 0) + own;
      const lent = own * (lends[row] ?? 0);
      // For the lines after it, it is one before them.
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
    return scoredRows;
  }

  /** Lends a row's term to the rows in one direction, as far as it reaches. Returns how many rows have a count by then. */
  private lend(
    row: number,
    links: readonly number[],
    shares: readonly number[],
    lent: number,
    countedRows: number,
  ) {
    const { counts, counted } = scratchFor(this.ids.length);
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
}

/** Looks up how often a row has a term. */
function countIn(posting: Posting, row: number): number {
  let [low, high] = [0, posting.length - 1];
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const entry = posting[middle] ?? 0;
    const found = entry >>> COUNT_BITS;
    if (found === row) return entry & MAX_COUNTED;
    if (found < row) low = middle + 1;
    else high = middle - 1;
  }
  return 0;
}
