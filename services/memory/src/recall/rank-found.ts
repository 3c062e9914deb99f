import { canHear, type Audience } from '@kith/contracts';
import type { Candidates, Found } from '../index/vector-index.js';
import { certaintyOf } from './certainty.js';
import { findAnswers } from './find-answers.js';
import { rankByWords } from './rank-by-words.js';
import { isAlike, isOfTime, scoreCandidates, type Candidate, type Ranked } from './rank-memories.js';
import type { Question } from './read-question.js';
import type { MemoryRow } from '../rows/memory-row.js';

/** Each arm looks for more than is asked, as some is dropped later. Six times as much finds half a point more. */
export const candidatesFor = (limit: number): number => Math.min(200, Math.max(40, 3 * limit));
/** Diversity is weighed among the best only: vectors of the rest need not be fetched. */
export const poolFor = (limit: number): number => Math.max(24, 3 * limit);

/** Of a row what its ranking needs. */
export type RankableRow = Pick<
  MemoryRow,
  | 'id'
  | 'text'
  | 'speaker'
  | 'conversation'
  | 'audience'
  | 'sources'
  | 'validFrom'
  | 'validTo'
  | 'importance'
  | 'pinned'
  | 'saidAt'
  | 'lastRecalledAt'
  | 'timesUsed'
  | 'feltPleasure'
>;

export type RowToRank<R extends RankableRow> = Candidate & { row: R };

/** Rows found for a question, by the index and by Postgres. */
export interface FoundToRank<R extends RankableRow> {
  question: Question;
  kind: 'lexical' | 'semantic';
  found: Candidates;
  rows: readonly R[];
  /** Of rows that did not come from the index: they are not in it yet, or it is down. */
  byText: ReadonlySet<string>;
}

/** For whom it is ranked, and when. */
interface Listener {
  audience: Audience;
  excludeSources: readonly string[];
  limit: number;
  now: Date;
  mood?: number | undefined;
}

/** Candidates by how far they came, each list best first. */
export interface RankedFound<R extends RankableRow> {
  /** The best: memories are chosen among them. */
  pool: Ranked<RowToRank<R>>[];
  /** Those that are too far down to be chosen. */
  beyond: Ranked<RowToRank<R>>[];
  /** Those that have nothing to do with the question, and those that are to be left out. */
  cut: { candidate: RowToRank<R>; fate: 'floor' | 'excluded' }[];
}

/** Scores what may be heard, is not to be left out and has to do with the question. */
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
  // What the listener may not hear is no question before an answer, either.
  const answers = findAnswers(
    rows.filter((row) => canHear(audience, row.audience)),
    question,
  );
  const excluded = new Set(excludeSources);
  const candidates: RowToRank<R>[] = [];
  const cut: RankedFound<R>['cut'] = [];
  for (const row of rows) {
    if (!canHear(audience, row.audience)) continue;
    const candidate = toCandidate(row, arms, answers.get(row.id) ?? 0);
    const ofTime = question.time !== null && isOfTime(candidate, question.time);
    if (row.sources.some((source) => excluded.has(source))) cut.push({ candidate, fate: 'excluded' });
    else if (isAlike(candidate, kind) || ofTime) candidates.push(candidate);
    else cut.push({ candidate, fate: 'floor' });
  }
  const certainty = certaintyOf(question, candidates);
  const ranked = scoreCandidates(candidates, { question, kind, now, mood, certainty });
  const end = poolFor(limit);
  return { pool: ranked.slice(0, end), beyond: ranked.slice(end), cut };
}

type Places = ReadonlyMap<string, { rank: number; score: number }>;

function toCandidate<R extends RankableRow>(
  row: R,
  { dense, lexical }: { dense: Places; lexical: Places },
  answers: number,
): RowToRank<R> {
  return {
    id: row.id,
    text: row.text,
    speaker: row.speaker,
    validFrom: row.validFrom,
    validTo: row.validTo,
    importance: row.importance,
    pinned: row.pinned,
    saidAt: row.saidAt,
    lastRecalledAt: row.lastRecalledAt,
    timesUsed: row.timesUsed,
    feltPleasure: row.feltPleasure,
    denseRank: dense.get(row.id)?.rank ?? null,
    similarity: dense.get(row.id)?.score ?? null,
    lexicalRank: lexical.get(row.id)?.rank ?? null,
    words: lexical.get(row.id)?.score ?? null,
    answers,
    row,
  };
}

function placesOf(found: readonly Found[]): Places {
  return new Map(found.map(({ id, score }, at) => [id, { rank: at + 1, score }]));
}

/** Two lists scored by the same measure as one, best first; what both hold counts once. */
function mergeRanked(a: readonly Found[], b: readonly Found[]): readonly Found[] {
  if (b.length === 0) return a;
  const best = new Map<string, Found>();
  for (const each of [...a, ...b]) if (each.score > (best.get(each.id)?.score ?? -1)) best.set(each.id, each);
  return [...best.values()].sort((x, y) => y.score - x.score || (x.id < y.id ? -1 : 1));
}
