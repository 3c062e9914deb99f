import { counted, FATE_WORDS, FIT_RULE_WORDS, type ExplainedCandidate } from '@kith/contracts';
import { shortId } from './memory-pages.js';

/** Says what became of a candidate, and why. */
export function describeFate({ fate, alikeTo, tokens }: ExplainedCandidate): string {
  if (fate === 'alike' && alikeTo !== null)
    return `repeats ${shortId(alikeTo.id)} (${alikeTo.likeness.toFixed(2)})`;
  if (fate === 'budget') return `${FATE_WORDS.budget} for ${counted(tokens, 'token')}`;
  return FATE_WORDS[fate];
}

/** Lists the words of the question that a candidate has, and in brackets those that a neighbour lends it. */
export function describeTerms({ ownTerms, lentTerms }: ExplainedCandidate): string {
  return [...ownTerms, ...lentTerms.map(({ term, share }) => `(${term} ×${share.toFixed(2)})`)].join(' ');
}

/** Lists the rules that apply to a candidate, with their factors. */
export function describeRules({ rules }: ExplainedCandidate): string {
  return rules.map(({ rule, factor }) => `${FIT_RULE_WORDS[rule]} ×${factor.toFixed(2)}`).join(', ');
}

/** Lists the parts of a candidate's score that count for something. */
export function describeParts(candidate: ExplainedCandidate): string[] {
  const { why } = candidate;
  const terms = describeTerms(candidate);
  const rules = describeRules(candidate);
  return [
    ...(why?.lexicalRank == null ? [] : [`words #${why.lexicalRank}`]),
    ...(terms === '' ? [] : [`has ${terms}`]),
    ...(why?.similarity == null ? [] : [`alike ${why.similarity.toFixed(2)} #${why.denseRank}`]),
    ...(rules === '' ? [] : [rules]),
    ...(why === null
      ? []
      : (['recency', 'importance', 'mood', 'proof'] as const).flatMap((part) =>
          why[part] < 0.005 ? [] : [`${part} +${why[part].toFixed(2)}`],
        )),
  ];
}

/** Says whether a candidate is in the prompt. */
export function describePlace({ inPrompt }: ExplainedCandidate): string {
  return inPrompt === null ? '–' : inPrompt === 'found' ? 'yes' : 'beside';
}
