import type { BigFive } from '@kith/contracts';
import type { JSX } from 'react';
import { outlineOf, radarPoints } from './radar-points.js';

const MIDDLE = 100;
const RADIUS = 62;
const NAME_AT = 1.16;
const RINGS = [0.5, 1];

/** The five traits on a radar; half way out is the average person. */
export function TraitRadar({ traits, name }: { traits: BigFive; name: string }): JSX.Element {
  const named = Object.entries(traits);
  const described = named.map(([trait, value]) => `${trait} ${Math.round(value * 100)}%`).join(', ');
  const values = named.map(([, value]) => value);
  return (
    <svg className="radar" viewBox="0 20 200 150" role="img" aria-label={`${name}'s traits: ${described}`}>
      {RINGS.map((ring) => (
        <polygon
          key={ring}
          className="radar-ring"
          points={outlineOf(
            radarPoints(
              values.map(() => ring),
              MIDDLE,
              RADIUS,
            ),
          )}
        />
      ))}
      <polygon className="radar-shape" points={outlineOf(radarPoints(values, MIDDLE, RADIUS))} />
      {radarPoints(
        values.map(() => NAME_AT),
        MIDDLE,
        RADIUS,
      ).map(({ x, y, anchor }, index) => (
        <text key={named[index]?.[0]} className="radar-name" x={x} y={y + 3} textAnchor={anchor}>
          {named[index]?.[0]}
        </text>
      ))}
    </svg>
  );
}
