import {
  counted,
  describeReading,
  FATE_WORDS,
  FIT_RULE_WORDS,
  type ExplainedCandidate,
  type MemoryWhy,
} from '@kith/contracts';

/** Says what became of a candidate. */
export function describeFate({ fate, alikeTo, tokens }: ExplainedCandidate): string {
  if (fate === 'alike' && alikeTo !== null)
    return `${FATE_WORDS.alike}, ${Math.round(100 * alikeTo.likeness)} % alike`;
  return fate === 'budget' ? `${FATE_WORDS.budget} for ${counted(tokens, 'token')}` : FATE_WORDS[fate];
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
export function describeQuestion(why: Pick<MemoryWhy, 'question' | 'vectors'>): string {
  const { terms } = why.question;
  return [
    terms.length > 0 ? `the words ${terms.join(', ')}` : 'no words to look for',
    ...describeReading(why),
    `compared by ${why.vectors === 'semantic' ? 'meaning' : 'spelling'}`,
  ].join(' · ');
}
