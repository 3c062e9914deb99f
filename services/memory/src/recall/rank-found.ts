import { canHear, type Audience } from '@kith/contracts';
import { byScore, type Candidates, type FoundMemory } from '../index/vector-index.js';
import { certaintyOf } from './certainty-of.js';
import { findAnswers } from './find-answers.js';
import { rankByWords } from './rank-by-words.js';
import {
  isAlike,
  isOfTime,
  isCurrentFact,
  scoreCandidates,
  type Candidate,
  type Match,
  type Ranked,
} from './memory-ranking.js';
import type { Question } from './read-question.js';
import type { RecallRow } from '../rows/memory-row.js';

/** Results that each arm looks for: more than are asked, as some are dropped. Six times the limit finds half a point more. */
export const candidatesFor = (limit: number): number => Math.min(200, Math.max(40, 3 * limit));
/** The best, among which diversity is weighed: vectors of the rest need not be fetched. */
export const poolFor = (limit: number): number => Math.max(24, 3 * limit);

/** Columns of a row that its ranking needs. */
export type RankableRow = Omit<Candidate, keyof Match> &
  Pick<RecallRow, 'conversation' | 'audience' | 'sources'>;

export type RowToRank<R extends RankableRow = RecallRow> = R & Match;

/** Rows found for a question, by the index and by Postgres. */
export interface FoundToRank<R extends RankableRow = RecallRow> {
  question: Question;
  kind: 'lexical' | 'semantic';
  found: Candidates;
  rows: readonly R[];
  /** Ids of rows that did not come from the index: they are not in it yet, or it is down. */
  byText: ReadonlySet<string>;
}

/** Circumstances of the one who is told what is found. */
interface Listener {
  audience: Audience;
  excludeSources: readonly string[];
  limit: number;
  now: Date;
  mood?: number | undefined;
}

/** Candidates by how far they came, each list best first. */
export interface RankedFound<R extends RankableRow = RecallRow> {
  /** The best: memories are chosen among them. */
  pool: Ranked<RowToRank<R>>[];
  /** Candidates too far down to be chosen. */
  beyond: Ranked<RowToRank<R>>[];
  /** Candidates that have nothing to do with the question, or are to be left out. */
  cut: { candidate: RowToRank<R>; fate: 'floor' | 'excluded' }[];
}

/** Scores memories that may be heard, are not excluded and concern the question. */
export function rankFound<R extends RankableRow>(
  { question, kind, found, rows, byText }: FoundToRank<R>,
  { audience, excludeSources, limit, now, mood }: Listener,
): RankedFound<R> {
  const byWords = rankByWords(
    question.terms,
    rows.filter(({ id }) => byText.has(id)),
  );
  const lexical = mergeRanked(found.lexical, byWords);
  const arms = { dense: placesOf(found.dense), lexical: placesOf(lexical) };
  const heard = rows.filter((row) => canHear(audience, row.audience));
  const answers = findAnswers(heard, question);
  const excluded = new Set(excludeSources);
  const isExcluded = ({ sources }: R) => sources.some((source) => excluded.has(source));
  const current = question.isOverview ? heard.filter((row) => isCurrentFact(row) && !isExcluded(row)) : [];
  const facts = new Set(current.map(({ id }) => id));
  const candidates: RowToRank<R>[] = [];
  const cut: RankedFound<R>['cut'] = [];
  for (const row of heard) {
    const [dense, lexical] = [arms.dense.get(row.id), arms.lexical.get(row.id)];
    const candidate = {
      ...row,
      denseRank: dense?.rank ?? null,
      similarity: dense?.score ?? null,
      lexicalRank: lexical?.rank ?? null,
      words: lexical?.score ?? null,
      answers: answers.get(row.id) ?? 0,
    };
    const ofTime = question.time !== null && isOfTime(candidate, question.time);
    // Words like "remember" find earlier questions alone.
    const fits = facts.size > 0 ? facts.has(row.id) : isAlike(candidate, kind) || ofTime;
    if (isExcluded(row)) cut.push({ candidate, fate: 'excluded' });
    else if (fits) candidates.push(candidate);
    else cut.push({ candidate, fate: 'floor' });
  }
  const certainty = facts.size > 0 ? 1 : certaintyOf(question, candidates);
  const ranked = scoreCandidates(candidates, { question, kind, now, mood, certainty });
  const end = poolFor(limit);
  return { pool: ranked.slice(0, end), beyond: ranked.slice(end), cut };
}

function placesOf(found: readonly FoundMemory[]): ReadonlyMap<string, { rank: number; score: number }> {
  return new Map(found.map(({ id, score }, at) => [id, { rank: at + 1, score }]));
}

/** Merges two lists that are scored by the same measure, best first; what both hold counts once. */
function mergeRanked(a: readonly FoundMemory[], b: readonly FoundMemory[]): readonly FoundMemory[] {
  if (b.length === 0) return a;
  const best = new Map<string, FoundMemory>();
  for (const each of [...a, ...b]) if (each.score > (best.get(each.id)?.score ?? -1)) best.set(each.id, each);
  return [...best.values()].sort(byScore);
}
