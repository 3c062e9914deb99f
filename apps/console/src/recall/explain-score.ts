import { MAX_MOOD_BOOST, MAX_PROOF_BOOST, MAX_RECALL_BOOST, type RecalledMemory } from '@kith/contracts';

/** One reason why a memory came to mind. */
export interface ScorePart {
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
  return [
    {
      name: 'similarity',
      words: why.similarity === null ? 'not found by meaning' : `${percent(why.similarity)} alike in meaning`,
      share: clampShare(why.similarity ?? 0),
    },
    {
      name: 'words in common',
      words: why.lexicalRank === null ? 'none' : `${ordinal(why.lexicalRank)} match`,
      share: why.lexicalRank === null ? 0 : 1 / (1 + RANK_FADE * (why.lexicalRank - 1)),
    },
    ...(why.fit === 0 ? [] : [{ name: 'fit', words: fit(why.fit), share: clampShare(why.fit) }]),
    { name: 'recency', words: boost(why.recency), share: clampShare(why.recency / MAX_RECALL_BOOST) },
    {
      name: 'importance',
      words: boost(why.importance),
      share: clampShare(why.importance / MAX_RECALL_BOOST),
    },
    ...(why.mood === 0
      ? []
      : [{ name: 'mood', words: boost(why.mood), share: clampShare(why.mood / MAX_MOOD_BOOST) }]),
    ...(why.proof === 0
      ? []
      : [{ name: 'use', words: boost(why.proof), share: clampShare(why.proof / MAX_PROOF_BOOST) }]),
    ...(why.certainty === 1
      ? []
      : [
          {
            name: 'certainty',
            words: `${percent(why.certainty)} sure that anything found answers`,
            share: clampShare(why.certainty),
          },
        ]),
  ];
}

/** Said by who was asked about, and the like; a question fits less. */
function fit(part: number): string {
  return part < 0 ? `counts ${percent(-part)} less` : boost(part);
}

function boost(part: number): string {
  return part < 0.005 ? 'no lift' : `lifts it by ${percent(part)}`;
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function ordinal(rank: number): string {
  if (rank === 1) return 'best';
  const ending = { one: 'st', two: 'nd', few: 'rd', other: 'th', zero: 'th', many: 'th' };
  return `${rank}${ending[new Intl.PluralRules('en', { type: 'ordinal' }).select(rank)]}-best`;
}

function clampShare(share: number): number {
  return Math.min(1, Math.max(0, share));
}
