import type { Pad } from '@kith/contracts';
import type { CSSProperties } from 'react';
import { bloomPath } from './bloom-path.js';

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
