import { type BigFive, present } from '@kith/contracts';
import { type Point, pointList, radarCorners, type RadarCorner } from './geometry.js';
import { element, text, COLOURS } from './svg.js';

/** In the order in which their names fit around the corners. */
const TRAITS: readonly [trait: keyof BigFive, label: string][] = [
  ['openness', 'open'],
  ['stability', 'stable'],
  ['extraversion', 'extravert'],
  ['conscientiousness', 'conscientious'],
  ['agreeableness', 'agreeable'],
];

/** The five traits around a centre: the middle is 0, the rim is 1, the ring between them the average person. */
export function traitsRadar(traits: BigFive, centre: Point, radius: number): string {
  const placed = (values: readonly number[]) => radarCorners(values, centre, radius);
  const rim = (share: number) => placed(TRAITS.map(() => share));
  const ring = (share: number) =>
    element('polygon', {
      points: pointList(rim(share)),
      fill: 'none',
      stroke: COLOURS.grid,
      'stroke-width': share === 1 ? 1.25 : 0.75,
      'stroke-dasharray': share === 1 ? undefined : '2 4',
    });
  const corners = rim(1);
  const values = placed(TRAITS.map(([trait]) => traits[trait]));
  return [
    ring(1),
    ring(0.5),
    element('polygon', {
      points: pointList(values),
      fill: COLOURS.bond,
      'fill-opacity': 0.22,
      stroke: COLOURS.bond,
      'stroke-width': 2,
      'stroke-linejoin': 'round',
    }),
    ...values.map(({ x, y }) => element('circle', { cx: x, cy: y, r: 3, fill: COLOURS.bond })),
    ...TRAITS.map(([, label], index) => cornerLabel(label, present(corners[index]), centre)),
  ].join('');
}

/** Writes a name outside its corner, away from the middle: above, beside, or below it. */
function cornerLabel(label: string, { x, y, anchor }: RadarCorner, centre: Point): string {
  const at = (place: Point) => text(place, label, ['muted', 10], { 'text-anchor': anchor });
  if (anchor === 'middle') return at({ x, y: y - 9 });
  const side = anchor === 'start' ? 1 : -1;
  // Beneath, two names share the line: each begins a little inside its corner.
  return at(y > centre.y ? { x: x - side * 10, y: y + 16 } : { x: x + side * 7, y: y + 3 });
}
