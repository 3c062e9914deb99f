import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import {
  countTerms,
  inverseDocumentFrequency,
  lengthNorm,
  poolTerms,
  weightBeside,
} from '../../words/bm25.js';
import { neighboursOf } from '../../words/neighbours.js';
import { LineOrder } from './line-order.js';
import { TermIndex } from './term-index.js';

const MINUTE_MS = 60_000;
/** More than are read whole before an index asks whether it must. */
const LINES = 5_000;

interface Line {
  id: string;
  terms: readonly string[];
  conversation: string;
  saidAt: Date;
}

/** Lines of common words, of which a few have a rarer one: in talks of forty, half of them broken by a pause. */
function linesBy(seed: number): Line[] {
  return Array.from({ length: LINES }, (_, n) => {
    const roll = (of: number, salt: number) => (Math.imul(n * 31 + salt, seed * 2 + 1) >>> 7) % of;
    const terms = [
      'everywhere',
      roll(2, 1) ? 'often' : 'everywhere',
      `kind${roll(10, 2)}`,
      `rare${roll(400, 3)}`,
    ];
    const talk = Math.floor(n / 40);
    const minutes = n * 10 + (n % 40 > 20 && talk % 2 ? 600 : 0);
    return {
      id: String(n).padStart(5, '0'),
      terms,
      conversation: `talk ${talk}`,
      saidAt: new Date(minutes * MINUTE_MS),
    };
  });
}

/** Scores each line by itself, as `bm25.ts` and `neighbours.ts` define it. */
function scoresOf(
  lines: readonly Line[],
  asked: readonly string[],
  audible: Uint8Array,
): Map<string, number> {
  const near = neighboursOf(lines);
  const places = new Map(lines.map(({ id }, at) => [id, at]));
  const holders = (term: string) => lines.filter(({ terms }) => terms.includes(term)).length;
  const known = [...new Set(asked)].filter((term) => holders(term) > 0);
  const idf = new Map(known.map((term) => [term, inverseDocumentFrequency(lines.length, holders(term))]));
  const heard = lines.filter((_, at) => audible[at] === 1);
  return new Map(
    heard.map((line) => {
      const beside = near.get(line.id)!.filter(({ of }) => audible[places.get(of.id)!] === 1);
      const counts = poolTerms(
        line.terms,
        beside.map(({ of, share }) => ({ terms: of.terms, share })),
      );
      const norm = lengthNorm(line.terms.length, line.terms.length);
      const score = known.reduce(
        (sum, term) => sum + idf.get(term)! * weightBeside(counts.get(term) ?? 0, norm),
        0,
      );
      return [line.id, score];
    }),
  );
}

describe('the index of a person’s terms', () => {
  it('finds the best that scoring every line would, though it does not read common terms to the end', () => {
    const questions = fc.record({
      seed: fc.integer({ min: 1, max: 1_000 }),
      asked: fc.uniqueArray(
        fc.constantFrom('everywhere', 'often', 'kind1', 'kind2', 'rare7', 'rare8', 'rare9', 'nowhere'),
        { minLength: 1 },
      ),
      limit: fc.integer({ min: 1, max: 40 }),
      heardOf: fc.integer({ min: 1, max: 5 }),
    });
    const check = ({
      seed,
      asked,
      limit,
      heardOf,
    }: {
      seed: number;
      asked: string[];
      limit: number;
      heardOf: number;
    }) => {
      const lines = linesBy(seed);
      const ids = lines.map(({ id }) => id);
      const order = new LineOrder(ids);
      const index = new TermIndex(ids, order);
      for (const { terms, conversation, saidAt } of lines) {
        order.add(conversation, saidAt.getTime());
        index.add(Object.fromEntries(countTerms(terms)));
      }
      const audible = Uint8Array.from(lines, (_, at) => (at % 7 < heardOf ? 1 : 0));
      const scores = scoresOf(lines, asked, audible);
      const best = [...scores.values()].filter((score) => score > 0).sort((a, b) => b - a);
      // Twice, since a search leaves what it noted at zero.
      for (const found of [index.best(asked, audible, limit), index.best(asked, audible, limit)]) {
        expect(found).toHaveLength(Math.min(limit, best.length));
        found.forEach(({ id, score }, place) => {
          expect(score).toBeCloseTo(best[place]!, 9);
          expect(score).toBeCloseTo(scores.get(id)!, 9);
        });
      }
    };
    fc.assert(fc.property(questions, check), { numRuns: 25 });
  });
});
