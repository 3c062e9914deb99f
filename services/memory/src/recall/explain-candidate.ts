import type { CandidateFate, ExplainedCandidate, Passage, RecallExplanation } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import { viewOf, type RecallRow } from '../rows/memory-row.js';
import { analyseText } from '../words/analyse-text.js';
import { lentShare } from '../words/bm25.js';
import { neighboursOf } from '../words/neighbours.js';
import type { RankedFound, RowToRank } from './rank-found.js';
import { fitRules, type Ranked } from './memory-ranking.js';
import type { Question } from './read-question.js';

/** Recall as it was done, with what it decided on the way. */
export interface RecallDone {
  question: Question;
  kind: 'lexical' | 'semantic';
  now: Date;
  ranked: RankedFound;
  chosen: readonly Ranked<RowToRank>[];
  /** Ids of those that did not fit into the tokens that were left. */
  tooLong: ReadonlySet<string>;
  similarity: (a: RowToRank, b: RowToRank) => number;
  passages: readonly Passage[];
}

/** A candidate with what became of it, before it is put into words. */
export interface JudgedCandidate {
  candidate: RowToRank;
  why: ExplainedCandidate['why'];
  fate: CandidateFate;
}

/** Judges every candidate by what recall did with it: the chosen ones first, then by their score. Pure. */
export function judgeCandidates({ ranked, chosen, tooLong }: RecallDone): JudgedCandidate[] {
  const least = Math.min(...chosen.map(({ why }) => why.score));
  const taken = new Set(chosen.map(({ candidate }) => candidate.id));
  const fateOf = ({ candidate, why }: Ranked<RowToRank>): CandidateFate => {
    if (tooLong.has(candidate.id)) return 'budget';
    // One with a lower score was chosen in its place: it says what was said already.
    return why.score > least ? 'alike' : 'limit';
  };
  const left = ranked.pool.filter(({ candidate }) => !taken.has(candidate.id));
  const cut = ranked.cut.toSorted((a, b) => (b.candidate.similarity ?? 0) - (a.candidate.similarity ?? 0));
  return [
    ...chosen.map(({ candidate, why }) => ({ candidate, why, fate: 'chosen' as const })),
    ...left.map((each) => ({ ...each, fate: fateOf(each) })),
    ...ranked.beyond.map((each) => ({ ...each, fate: 'beyond' as const })),
    ...cut.map((each) => ({ ...each, why: null })),
  ];
}

/** Counts candidates by what became of them. */
export function countFates(judged: readonly JudgedCandidate[]): RecallExplanation['counts'] {
  const groups = Map.groupBy(judged, ({ fate }) => fate);
  return Object.fromEntries([...groups].map(([fate, some]) => [fate, some.length]));
}

/**
 * Accounts for one candidate: the words it has and those its neighbours lend it, the rules that apply, and its place in
 * the prompt. Pure.
 * @param near lines said around it
 */
export function explainCandidate(
  { candidate, why, fate }: JudgedCandidate,
  done: RecallDone,
  near: readonly RecallRow[],
): ExplainedCandidate {
  const asked = new Set(done.question.terms);
  const own = new Set(analyseText(candidate.text));
  return {
    memory: viewOf(candidate),
    why,
    fate,
    ownTerms: [...asked].filter((term) => own.has(term)),
    lentTerms: lentTerms(candidate, near, asked),
    rules: why === null ? [] : fitRules(candidate, done),
    alikeTo: fate === 'alike' ? closestTo(candidate, done) : null,
    tokens: estimateTokens(candidate.text),
    inPrompt: placeIn(done.passages, candidate.id),
  };
}

/** Finds the words of the question that lines around one lend it: each from where it counts the most. */
function lentTerms(row: RecallRow, near: readonly RecallRow[], asked: ReadonlySet<string>) {
  const around = new Map([row, ...near].map((each) => [each.id, each]));
  const most = new Map<string, ExplainedCandidate['lentTerms'][number]>();
  for (const { of, share } of neighboursOf([...around.values()]).get(row.id) ?? []) {
    const terms = analyseText(of.text);
    const counts = share * lentShare(terms.length);
    for (const term of new Set(terms))
      if (asked.has(term) && counts > (most.get(term)?.share ?? 0))
        most.set(term, { term, by: of.id, share: counts });
  }
  return [...most.values()];
}

/** Finds the chosen one that is most like a candidate. */
function closestTo(candidate: RowToRank, { chosen, similarity }: RecallDone): ExplainedCandidate['alikeTo'] {
  let closest: ExplainedCandidate['alikeTo'] = null;
  for (const each of chosen) {
    const likeness = similarity(candidate, each.candidate);
    if (likeness > (closest?.likeness ?? -1)) closest = { id: each.candidate.id, likeness };
  }
  return closest;
}

/** Tells whether a line is in the prompt as one that was found, or beside one. */
function placeIn(passages: readonly Passage[], id: string): ExplainedCandidate['inPrompt'] {
  const line = passages.flatMap(({ lines }) => lines).find((each) => each.id === id);
  return line ? (line.isFound ? 'found' : 'beside') : null;
}
