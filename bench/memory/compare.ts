import { nth } from '../figures.ts';

/** Enough that the ends of an interval vary by a tenth of a point or two. */
const RESAMPLES = 2_000;
/** Any number will do: it makes the intervals the same for the same figures. */
const SEED = 17;

export interface Difference {
  mean: number;
  /** Ends of the interval in which 95 of 100 resamples of the questions lie. */
  low: number;
  high: number;
}

/** The mean difference of two rankings over the same questions, with a bootstrap interval by question. */
export function compare(ours: readonly number[], theirs: readonly number[]): Difference {
  const differences = ours.map((own, at) => own - nth(theirs, at));
  const random = randomFrom(SEED);
  const means = Array.from({ length: RESAMPLES }, () => {
    let sum = 0;
    for (let n = 0; n < differences.length; n += 1)
      sum += nth(differences, Math.floor(random() * differences.length));
    return sum / differences.length;
  }).sort((a, b) => a - b);
  return {
    mean: differences.reduce((sum, each) => sum + each, 0) / differences.length,
    low: nth(means, Math.floor(RESAMPLES * 0.025)),
    high: nth(means, Math.ceil(RESAMPLES * 0.975) - 1),
  };
}

export function inWords({ mean, low, high }: Difference): string {
  return `${mean.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}]`;
}

/** Computes the AUROC: how often one of the first scores above one of the second. Ties count half; .5 is chance. */
export function areaUnderRoc(positive: readonly number[], negative: readonly number[]): number {
  let wins = 0;
  for (const high of positive) for (const low of negative) wins += high > low ? 1 : high === low ? 0.5 : 0;
  return wins / (positive.length * negative.length);
}

/** Mulberry32: numbers in [0, 1) that are the same for the same seed. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
