import {
  DAY_MS,
  MAX_MOOD_BOOST,
  MAX_PROOF_BOOST,
  MAX_RECALL_BOOST,
  present,
  type FitRule,
  type ScoreParts,
} from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import { isOfSelf, shareAsked, statesPreference, statesRule } from './line-traits.js';
import { tellsNumber, tellsWhen, type Question } from './read-question.js';
import { precisionOf, type TimeSpan } from './read-time.js';
import type { RecallRow } from '../rows/memory-row.js';
import { TUNED } from '../words/tuned.js';

/** Places and scores of a memory in what the arms of a search found. Ranks count from 1. */
export interface Match {
  denseRank: number | null;
  /** Likeness to the query, as the dense arm has it. */
  similarity: number | null;
  lexicalRank: number | null;
  /** BM25F of the query's words. */
  words: number | null;
  /** Share of the question's words in another's question that it was said in answer to (`find-answers.ts`). */
  answers: number;
}

/** Columns that the ranking needs: of a memory, and of how it was used and felt. */
type RankedNames = 'id' | 'text' | 'speaker' | 'saidAt' | 'validFrom' | 'validTo' | 'importance' | 'pinned';
type CountedNames = 'lastRecalledAt' | 'timesUsed' | 'feltPleasure';

/** A memory that was found. */
export interface Candidate extends Match, Pick<RecallRow, RankedNames | CountedNames> {}

export interface Ranked<C extends Candidate = Candidate> {
  candidate: C;
  why: ScoreParts;
}

/**
 * Time after which half of the boost is gone where nobody said or recalled it again: last night still counts in full,
 * last season hardly. (In Park 2023 it is 6 days, with a weight that can overrule relevance; ours cannot.)
 */
const RECENCY_HALF_LIFE_MS = 14 * DAY_MS;

/** Mixes the scores of both arms into one, each as a share of its arm's best. */
export function fuseScores(
  candidate: Pick<Candidate, 'similarity' | 'words'>,
  best: { similarity: number; words: number },
  kind: 'lexical' | 'semantic',
): number {
  const weight = TUNED.denseWeight[kind];
  const share = (score: number | null, of: number) =>
    score === null || of <= 0 ? 0 : Math.max(0, score) / of;
  return (
    (share(candidate.words, best.words) + weight * share(candidate.similarity, best.similarity)) /
    (1 + weight)
  );
}

/** Tells whether something is a fact that holds. */
export function isCurrentFact({ validFrom, validTo }: Pick<Candidate, 'validFrom' | 'validTo'>): boolean {
  return validFrom !== null && validTo === null;
}

/** Tells whether a line is about what is asked: it or a line beside it has a word of it, or it is alike enough. */
export function isAlike(
  { words, similarity }: Pick<Candidate, 'words' | 'similarity'>,
  kind: 'lexical' | 'semantic',
): boolean {
  return words !== null || (similarity !== null && similarity > TUNED.denseFloor[kind]);
}

type FittedMemory = Pick<Candidate, 'text' | 'speaker' | 'saidAt' | 'validFrom' | 'validTo' | 'answers'>;

/** Tells whether a line was said in this time; of a fact, whether it held then. */
export function isOfTime(
  { saidAt, validFrom, validTo }: Pick<Candidate, 'saidAt' | 'validFrom' | 'validTo'>,
  { from, to }: TimeSpan,
): boolean {
  return validFrom === null
    ? from <= saidAt && saidAt < to
    : validFrom < to && (validTo === null || validTo > from);
}

/** Lists the rules that make a line fit a question more or less, beside having its words, with the factor of each. */
export function fitRules(
  candidate: FittedMemory,
  { question, kind, now }: Pick<RecallContext, 'question' | 'kind' | 'now'>,
): { rule: FitRule; factor: number }[] {
  const { text, speaker, validFrom, validTo } = candidate;
  const { time } = question;
  const ofTime = time !== null && isOfTime(candidate, time);
  const isPast = validTo !== null && validTo <= now;
  const rules: { rule: FitRule; factor: number }[] = [];
  const add = (rule: FitRule, applies: boolean, more: number): void => {
    if (applies) rules.push({ rule, factor: 1 + more });
  };
  add('speaker', speaker !== null && question.about?.includes(speaker) === true, TUNED.speakerFit);
  // What people ask an assistant says much about themselves, and little about others.
  const asked = question.about === null ? 0 : shareAsked(text);
  add('asks', asked > 0, TUNED.askFit * asked);
  add('answers', candidate.answers > 0, TUNED.answerFit[kind] * candidate.answers);
  add('past', isPast && !ofTime && !question.asksPast, TUNED.pastFit);
  add('time', ofTime, time === null ? 0 : TUNED.timeFit[precisionOf(time)]);
  // A fact is about its owner.
  add('self', question.isOfSelf && (validFrom !== null || isOfSelf(text)), TUNED.selfFit);
  add('preference', question.asksAdvice && statesPreference(text), TUNED.preferenceFit);
  add('rule', statesRule(text), TUNED.ruleFit);
  add('number', question.asksAll === 'count' && tellsNumber(text), TUNED.numberFit);
  add('when', question.asksWhen && tellsWhen(text), TUNED.whenFit);
  return rules;
}

/** Multiplies the factors of all rules that apply, and takes one off: 0 where none does. */
export function fitOf(candidate: FittedMemory, asking: Pick<RecallContext, 'question' | 'kind' | 'now'>) {
  return fitRules(candidate, asking).reduce((product, { factor }) => product * factor, 1) - 1;
}

/** Gives 0 to .1, half of it with each fortnight since it was said or recalled. A date ahead of `now` counts as now. */
export function recencyBoost(memory: Pick<Candidate, 'saidAt' | 'lastRecalledAt'>, now: Date): number {
  const touchedAt = Math.max(memory.saidAt.getTime(), memory.lastRecalledAt?.getTime() ?? -Infinity);
  const ageMs = Math.max(0, now.getTime() - touchedAt);
  return MAX_RECALL_BOOST * 0.5 ** (ageMs / RECENCY_HALF_LIFE_MS);
}

/** Gives 0 for importance 1, .1 for importance 10 and for what its owner pinned. */
export function importanceBoost({ importance, pinned }: Pick<Candidate, 'importance' | 'pinned'>): number {
  if (pinned) return MAX_RECALL_BOOST;
  return (MAX_RECALL_BOOST * (Math.min(10, Math.max(1, importance)) - 1)) / 9;
}

/** Circumstances of a question: its kind, the space, the time, and the mood's pleasure from -1 to 1. */
interface RecallContext {
  question: Omit<Question, 'terms'>;
  kind: 'lexical' | 'semantic';
  now: Date;
  mood?: number | undefined;
  /** Probability that any of them answers (`certainty-of.ts`). */
  certainty?: number;
}

/** Gives 0 to .03: in full where the mood and what was felt are both at their strongest, and of one kind. */
export function moodBoost({ feltPleasure }: Pick<Candidate, 'feltPleasure'>, mood: number): number {
  return MAX_MOOD_BOOST * Math.max(0, (feltPleasure ?? 0) * mood);
}

/** Uses after which half of the boost is reached: one may be chance, and from ten on more of them say little. */
const HALF_PROVEN = 3;

/** Gives 0 to .05: more, the more often a reply spoke of it. */
export function proofBoost({ timesUsed }: Pick<Candidate, 'timesUsed'>): number {
  return (MAX_PROOF_BOOST * timesUsed) / (timesUsed + HALF_PROVEN);
}

/** Scores every candidate, best first; equals in the order of their ids, so that a recall can be repeated. */
export function scoreCandidates<C extends Candidate>(
  candidates: C[],
  { question, kind, now, mood = 0, certainty = 1 }: RecallContext,
): Ranked<C>[] {
  const { time } = question;
  const timeFloor = time === null ? 0 : TUNED.timeFloor[precisionOf(time)];
  const best = {
    similarity: candidates.reduce((most, { similarity }) => Math.max(most, similarity ?? 0), 0),
    words: candidates.reduce((most, { words }) => Math.max(most, words ?? 0), 0),
  };
  return candidates
    .map((candidate) => {
      const { denseRank, similarity, lexicalRank } = candidate;
      const ofTime = time !== null && isOfTime(candidate, time);
      // What was said then may answer without a word of the question: "what did I do last Tuesday?"
      // Asked for what is known at large, every fact answers alike.
      const answers = question.isOverview && isCurrentFact(candidate);
      const fused = Math.max(fuseScores(candidate, best, kind), ofTime ? timeFloor : 0, answers ? 1 : 0);
      const fit = fitOf(candidate, { question, kind, now });
      const recency = recencyBoost(candidate, now);
      const importance = importanceBoost(candidate);
      const moodShare = moodBoost(candidate, mood);
      const proof = proofBoost(candidate);
      const boosts = { recency, importance, mood: moodShare, proof };
      const score = fused * (1 + fit) * (1 + recency + importance + moodShare + proof) * certainty;
      const why = { denseRank, similarity, lexicalRank, fused, fit, ...boosts, certainty, score };
      return { candidate, why };
    })
    .sort((a, b) => b.why.score - a.why.score || (a.candidate.id < b.candidate.id ? -1 : 1));
}

/** Memories to name although the prompt tells them already: enough to see that they exist. */
export const MAX_TOLD = 8;

/**
 * Chooses by maximal marginal relevance: each next one is the best of what differs from those already chosen.
 * One that does not fit into what is left of the token budget is passed over for smaller ones.
 * @param bounds.isTold tells whether the prompt has one already: then it takes no tokens
 * @param similarity from 0 to 1; 1 means the same thing
 * @param onTooLong called with each that is passed over
 */
export function chooseMemories<C extends Candidate>(
  ranked: Ranked<C>[],
  bounds: { limit: number; maxTokens: number; isTold?: (candidate: C) => boolean },
  similarity: (a: C, b: C) => number,
  onTooLong?: (passedOver: C) => void,
): Ranked<C>[] {
  const chosen: Ranked<C>[] = [];
  // Where none is worth anything, 1 saves a division by 0.
  const best = ranked[0]?.why.score || 1;
  // How alike each is to the closest of the first `seen` chosen. That only rises, and with it what each is worth only
  // falls: the one worth the most is compared with the chosen that it has not seen, the others mostly never are.
  const closest = ranked.map(() => 0);
  const seen = ranked.map(() => 0);
  const worth = Float64Array.from(ranked, (entry) => marginal(entry, 0, best));
  let tokensLeft = bounds.maxTokens;
  let toldLeft = MAX_TOLD;
  for (let open = ranked.length; open > 0 && chosen.length < bounds.limit;) {
    const next = indexOfGreatest(worth);
    const entry = present(ranked[next]);
    const unseen = chosen[present(seen[next])];
    if (unseen) {
      closest[next] = Math.max(present(closest[next]), similarity(entry.candidate, unseen.candidate));
      seen[next] = present(seen[next]) + 1;
      worth[next] = marginal(entry, closest[next], best);
      continue;
    }
    worth[next] = TAKEN;
    open -= 1;
    if (bounds.isTold?.(entry.candidate) === true) {
      if (toldLeft > 0) chosen.push(entry);
      toldLeft -= 1;
      continue;
    }
    const tokens = estimateTokens(entry.candidate.text);
    if (tokens > tokensLeft) {
      onTooLong?.(entry.candidate);
      continue;
    }
    tokensLeft -= tokens;
    chosen.push(entry);
  }
  return chosen;
}

/** Worth of what was chosen or passed over already. */
const TAKEN = -Infinity;

/** Index of the greatest number, the first of several. */
function indexOfGreatest(numbers: Float64Array): number {
  let at = 0;
  for (let index = 1; index < numbers.length; index += 1) {
    if ((numbers[index] ?? TAKEN) > (numbers[at] ?? TAKEN)) at = index;
  }
  return at;
}

function marginal({ why }: Ranked, closest: number, best: number): number {
  return TUNED.mmrLambda * (why.score / best) - (1 - TUNED.mmrLambda) * closest;
}
