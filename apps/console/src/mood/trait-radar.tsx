import type { BigFive } from '@kith/contracts';
import { pointList, radarCorners } from '@kith/mood-card/geometry';

/** Middle of the drawing, whose sides have room for the longest of the traits' names. */
const CENTRE = { x: 100, y: 100 };
const RADIUS = 62;
/** Just outside the outermost ring. */
const NAME_AT = 1.16;
const RINGS = [0.5, 1];

/** The five traits on a radar; half way out is the average person. */
export function TraitRadar({ traits, name }: { traits: BigFive; name: string }) {
  const named = Object.entries(traits);
  const described = named.map(([trait, value]) => `${trait} ${Math.round(value * 100)}%`).join(', ');
  const values = named.map(([, value]) => value);
  const ringAt = (share: number) =>
    radarCorners(
      values.map(() => share),
      CENTRE,
      RADIUS,
    );
  return (
    <svg className="radar" viewBox="-33 20 266 150" role="img" aria-label={`${name}'s traits: ${described}`}>
      {RINGS.map((ring) => (
        <polygon key={ring} className="radar-ring" points={pointList(ringAt(ring))} />
      ))}
      <polygon className="radar-shape" points={pointList(radarCorners(values, CENTRE, RADIUS))} />
      {ringAt(NAME_AT).map(({ x, y, anchor }, index) => (
        <text key={named[index]?.[0]} className="radar-name" x={x} y={y + 3} textAnchor={anchor}>
          {named[index]?.[0]}
        </text>
      ))}
    </svg>
  );
}
