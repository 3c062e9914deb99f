import type { Pad } from '@kith/contracts';

/** Number of petals of a wild rose. */
const PETALS = 5;
/** Twelve to a petal: no corner shows at the size it is drawn. */
const POINTS = 60;

/**
 * A mood as a flower-like outline within a 100 × 100 box, as an SVG path: round when calm and deeply petalled
 * when stirred (arousal), large when sure of itself and small when not (dominance). Pleasure is its colour.
 */
export function bloomPath({ a, d }: Pick<Pad, 'a' | 'd'>): string {
  const radius = 37 + 5 * d;
  const depth = 0.035 + 0.085 * (a + 1);
  const points = Array.from({ length: POINTS }, (_, index) => {
    const angle = (2 * Math.PI * index) / POINTS;
    const reach = radius * (1 - depth + depth * Math.cos(PETALS * angle));
    return `${fixed(50 + reach * Math.sin(angle))} ${fixed(50 - reach * Math.cos(angle))}`;
  });
  return `M${points.join('L')}Z`;
}

function fixed(value: number): string {
  return value.toFixed(1);
}
