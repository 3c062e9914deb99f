import { z } from 'zod';
import { MemoryView } from './memory-view.js';
import { ScoreParts } from './recalled-memory.js';
import { IsoTime } from '../time/iso-time.js';
import { MemoryId } from '../values/words.js';

/** Account of one recall: what it read in a question, what it found for it, and what became of each candidate. */

/** Words for each rule, as whoever asked is told. */
export const FIT_RULE_WORDS = {
  speaker: 'said by who is asked about',
  asks: 'asks more than it tells',
  answers: 'answers such a question',
  number: 'tells a number',
  past: 'holds no longer',
  time: 'of the time asked about',
  self: 'about yourself',
  preference: 'states a preference',
  rule: 'says how to answer',
  when: 'tells a time',
};

/** Rule by which a line fits a question better or worse, apart from the words they share. */
export type FitRule = keyof typeof FIT_RULE_WORDS;
const FitRule = z.enum(Object.keys(FIT_RULE_WORDS) as FitRule[]);

/** Words for each fate, as whoever asked is told. */
export const FATE_WORDS = {
  chosen: 'chosen',
  alike: 'repeats what was chosen',
  limit: 'enough better ones',
  budget: 'no room',
  beyond: 'too far down',
  floor: 'not alike enough',
  excluded: 'stems from the question itself',
};

/**
 * End of a candidate: `chosen`, or cut. `floor`: no word in common, and too little alike; `excluded`: it stems from the
 * messages that ask; `beyond`: too far down for diversity to be weighed, also among what the prompt tells anyway; `alike`:
 * it repeats what was chosen; `budget`: it did not fit into the tokens that were left; `limit`: enough better ones were
 * chosen.
 */
export type CandidateFate = keyof typeof FATE_WORDS;
export const CandidateFate = z.enum(Object.keys(FATE_WORDS) as CandidateFate[]);

/** A word of the question that a neighbour lends to a line; it counts for this share of a word of its own. */
export const LentTerm = z.object({ term: z.string(), by: MemoryId, share: z.number() });

export const ExplainedCandidate = z.object({
  memory: MemoryView,
  /** Parts of its score; null for what was cut before it was scored. */
  why: ScoreParts.nullable(),
  fate: CandidateFate,
  /** Words of the question that it has itself, as they are compared. */
  ownTerms: z.array(z.string()),
  /** Terms that a neighbour lends it. */
  lentTerms: z.array(LentTerm),
  /** Rules that apply to it, with their factors; their product is 1 + `fit`. */
  rules: z.array(z.object({ rule: FitRule, factor: z.number() })),
  /** Memory most like it, of those that were chosen; where it was cut as `alike`. */
  alikeTo: z.object({ id: MemoryId, likeness: z.number() }).nullable(),
  tokens: z.number().int(),
  /** Its place in the prompt: found there, or beside something found; null where the prompt has no room for it. */
  inPrompt: z.enum(['found', 'beside']).nullable(),
});
export type ExplainedCandidate = z.infer<typeof ExplainedCandidate>;

/** Candidates that one account may show. */
export const MAX_EXPLAINED = 200;

export const RecallExplanation = z.object({
  /** Reading of the question. */
  question: z.object({
    terms: z.array(z.string()),
    about: z.string().nullable(),
    isOfSelf: z.boolean(),
    asksAdvice: z.boolean(),
    asksWhen: z.boolean(),
    time: z.object({ from: IsoTime, to: IsoTime }).nullable(),
  }),
  /** Space of the vectors: of spelling, or of meaning. */
  vectors: z.enum(['lexical', 'semantic']),
  /** The chosen ones first, as they were chosen; then the others by their score. */
  candidates: z.array(ExplainedCandidate),
  /** All candidates by what became of them, also those that are not shown. */
  counts: z.partialRecord(CandidateFate, z.number().int()),
  /** Hits of the index without a row that may be heard: forgotten, archived, or put in quarantine since. */
  gone: z.number().int(),
  /** Memories that would be found alone with the person and are not heard in this place; their words are not told. */
  unheard: z.array(MemoryId),
});
export type RecallExplanation = z.infer<typeof RecallExplanation>;

/** Words for what was read in a question, beside its own words, as whoever asked is told. */
export function describeReading({ question }: Pick<RecallExplanation, 'question'>): string[] {
  const { about, isOfSelf, asksAdvice, asksWhen, time } = question;
  return [
    ...(about === null ? [] : [`about ${about}`]),
    ...(isOfSelf ? ['about yourself'] : []),
    ...(asksAdvice ? ['asks for advice'] : []),
    ...(asksWhen ? ['asks for a time'] : []),
    // Recall reads whole days of UTC: in the reader's own zone they would begin on the day before.
    ...(time === null ? [] : [`of ${time.from.slice(0, 10)} to ${time.to.slice(0, 10)}`]),
  ];
}

/** Counts candidates by what became of them, in words. */
export function describeCounts({ counts, gone }: Pick<RecallExplanation, 'counts' | 'gone'>): string[] {
  return [
    ...Object.entries(counts).map(([fate, count]) => `${count} ${FATE_WORDS[fate as CandidateFate]}`),
    ...(gone > 0 ? [`${gone} forgotten or put away since`] : []),
  ];
}
