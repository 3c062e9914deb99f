import type { BigFive, Pad } from '@kith/contracts';

/**
 * The mood a companion has when nothing happened, from its traits in [0, 1] (Mehrabian 1996). Mehrabian's
 * traits lie in [-1, 1], and his fifth is emotional stability, as here: code that stores neuroticism must
 * turn its sign.
 */
export function baselineOf(traits: BigFive): Pad {
  const o = centred(traits.openness);
  const c = centred(traits.conscientiousness);
  const e = centred(traits.extraversion);
  const a = centred(traits.agreeableness);
  const s = centred(traits.stability);
  // Every row's weights add up to less than 1.35, so the corners of the trait space can leave the cube.
  const bounded = (value: number) => Math.min(1, Math.max(-1, value));
  return {
    p: bounded(0.21 * e + 0.59 * a + 0.19 * s),
    a: bounded(0.15 * o + 0.3 * a - 0.57 * s),
    d: bounded(0.25 * o + 0.17 * c + 0.6 * e - 0.32 * a),
  };
}

function centred(trait: number): number {
  return 2 * trait - 1;
}
