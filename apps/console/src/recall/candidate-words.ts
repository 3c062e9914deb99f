import { FIT_RULE_WORDS, type CandidateFate, type ExplainedCandidate, type MemoryWhy } from '@kith/contracts';

const FATES: Record<CandidateFate, string> = {
  chosen: 'chosen',
  alike: 'repeats what was chosen',
  limit: 'enough better ones',
  budget: 'no room for it',
  beyond: 'too far down',
  floor: 'not alike enough',
  excluded: 'stems from the question itself',
};

/** Says what became of a candidate. */
export function describeFate({ fate, alikeTo, tokens }: ExplainedCandidate): string {
  if (fate === 'alike' && alikeTo !== null)
    return `${FATES.alike}, ${Math.round(100 * alikeTo.likeness)} % alike`;
  return fate === 'budget' ? `${FATES.budget}: ${tokens} tokens` : FATES[fate];
}

/** Says which words a candidate shares with the question, which it is lent, and which rules apply. */
export function describeMatch({ ownTerms, lentTerms, rules }: ExplainedCandidate): string[] {
  const lent = lentTerms.map(({ term, share }) => `${term} (${Math.round(100 * share)} %)`);
  return [
    ...(ownTerms.length > 0 ? [`has ${ownTerms.join(', ')}`] : []),
    ...(lent.length > 0 ? [`has beside it ${lent.join(', ')}`] : []),
    ...rules.map(({ rule, factor }) => `${FIT_RULE_WORDS[rule]}: ×${factor.toFixed(2)}`),
  ];
}

/** Says what was read in a question. */
export function describeQuestion({ question, vectors }: Pick<MemoryWhy, 'question' | 'vectors'>): string {
  const { terms, about, isOfSelf, asksAdvice, asksWhen, time } = question;
  return [
    terms.length > 0 ? `the words ${terms.join(', ')}` : 'no words to look for',
    ...(about === null ? [] : [`about ${about}`]),
    ...(isOfSelf ? ['about yourself'] : []),
    ...(asksAdvice ? ['asks for advice'] : []),
    ...(asksWhen ? ['asks for a time'] : []),
    ...(time === null ? [] : [`of ${time.from.slice(0, 10)} to ${time.to.slice(0, 10)}`]),
    `compared by ${vectors === 'semantic' ? 'meaning' : 'spelling'}`,
  ].join(' · ');
}

/** Counts candidates by what became of them. */
export function describeCounts({ counts, gone }: Pick<MemoryWhy, 'counts' | 'gone'>): string {
  return [
    ...Object.entries(counts).map(([fate, count]) => `${count} ${FATES[fate as CandidateFate]}`),
    ...(gone > 0 ? [`${gone} forgotten or put away since`] : []),
  ].join(' · ');
}
