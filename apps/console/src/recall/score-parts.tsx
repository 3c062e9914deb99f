import { MAX_MOOD_BOOST, MAX_PROOF_BOOST, MAX_RECALL_BOOST, type RecalledMemory } from '@kith/contracts';
import type { CSSProperties } from 'react';

/** Reasons why a memory came up: each part of its score, as a bar and in words. */
export function ScoreParts({ why, label }: { why: RecalledMemory['why']; label: string }) {
  return (
    <dl className="parts" aria-label={label}>
      {explainScore(why).map(({ name, words, share }) => (
        <div key={name} className="part" style={{ '--share': share } as CSSProperties}>
          <dt>{name}</dt>
          <dd>
            <span className="bar" aria-hidden="true" />
            <span className="part-words">{words}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** One reason why a memory came to mind. */
interface ScorePart {
  name: string;
  /** Amount in words. */
  words: string;
  /** Amount from 0 to 1, for a bar. */
  share: number;
}

// The tenth-best match in words still shows a little.
const RANK_FADE = 0.25;

/** The parts of a memory's score as a person can read them; see `ScoreParts` for what they are. */
export function explainScore(why: RecalledMemory['why']): ScorePart[] {
  const { similarity, lexicalRank, recency, importance, mood, proof, certainty } = why;
  return [
    part(
      'similarity',
      similarity === null ? 'not found by meaning' : `${percent(similarity)} alike in meaning`,
      similarity ?? 0,
    ),
    lexicalRank === null
      ? part('words in common', 'none', 0)
      : part('words in common', `${ordinal(lexicalRank)} match`, 1 / (1 + RANK_FADE * (lexicalRank - 1))),
    ...(why.fit === 0 ? [] : [part('fit', fit(why.fit), why.fit)]),
    part('recency', boost(recency), recency / MAX_RECALL_BOOST),
    part('importance', boost(importance), importance / MAX_RECALL_BOOST),
    ...(mood === 0 ? [] : [part('mood', boost(mood), mood / MAX_MOOD_BOOST)]),
    ...(proof === 0 ? [] : [part('use', boost(proof), proof / MAX_PROOF_BOOST)]),
    ...(certainty === 1
      ? []
      : [part('certainty', `${percent(certainty)} sure that anything found answers`, certainty)]),
  ];
}

function part(name: string, words: string, share: number): ScorePart {
  return { name, words, share: Math.min(1, Math.max(0, share)) };
}

/** Said by who was asked about, and the like; a question fits less. */
function fit(amount: number): string {
  return amount < 0 ? `counts ${percent(-amount)} less` : boost(amount);
}

function boost(amount: number): string {
  return amount < 0.005 ? 'no lift' : `lifts it by ${percent(amount)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function ordinal(rank: number): string {
  if (rank === 1) return 'best';
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${rank}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(rank)]}-best`;
}
