import type { Pad } from '@kith/contracts';
import type { CSSProperties } from 'react';

const CALM: Pad = { p: 0, a: -0.4, d: 0 };

/** The companion's sign: its shape and colour are its mood. Decorative, the words stand beside it. */
export function Bloom({ pad, className }: { pad: Pad | null; className?: string }) {
  const { p, a, d } = pad ?? CALM;
  const warmth = { '--warmth': `${Math.round(50 + 50 * Math.max(-1, Math.min(1, p * 1.4)))}%` };
  return (
    <svg
      className={`bloom ${className ?? ''}`}
      viewBox="0 0 100 100"
      aria-hidden="true"
      style={warmth as CSSProperties}
    >
      <path className="bloom-outer" d={bloomPath({ a, d })} />
      <path className="bloom-inner" d={bloomPath({ a: -a, d })} />
      <circle className="bloom-heart" cx="50" cy="50" r="6" />
    </svg>
  );
}

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
