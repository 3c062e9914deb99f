import type { BigFive } from '@kith/contracts';
import { COLOURS } from './palette.js';
import { element, type Place, pointList, text } from './svg.js';

/** In the order in which their names fit around the corners. */
const TRAITS: readonly [trait: keyof BigFive, label: string][] = [
  ['openness', 'open'],
  ['stability', 'stable'],
  ['extraversion', 'extravert'],
  ['conscientiousness', 'conscientious'],
  ['agreeableness', 'agreeable'],
];

/** The five traits around a centre: the middle is 0, the rim is 1, the ring between them the average person. */
export function traitsRadar(traits: BigFive, centre: Place, radius: number): string {
  const corner = (index: number, share: number): Place => {
    const angle = (index / TRAITS.length) * 2 * Math.PI - Math.PI / 2;
    return { x: centre.x + Math.cos(angle) * radius * share, y: centre.y + Math.sin(angle) * radius * share };
  };
  const ring = (share: number) =>
    element('polygon', {
      points: pointList(TRAITS.map((_, index) => corner(index, share))),
      fill: 'none',
      stroke: COLOURS.grid,
      'stroke-width': share === 1 ? 1.25 : 0.75,
      'stroke-dasharray': share === 1 ? undefined : '2 4',
    });
  const values = TRAITS.map(([trait], index) => corner(index, traits[trait]));
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
    ...TRAITS.map(([, label], index) => cornerLabel(label, corner(index, 1), centre)),
  ].join('');
}

/** Outside its corner, away from the middle: above, beside, or below it. */
function cornerLabel(label: string, { x, y }: Place, centre: Place): string {
  const style = { fill: COLOURS.muted, 'font-size': 10 };
  if (Math.abs(x - centre.x) < 1) return text(x, y - 9, label, { ...style, 'text-anchor': 'middle' });
  const side = Math.sign(x - centre.x);
  const anchor = { 'text-anchor': side > 0 ? 'start' : 'end' };
  // Beneath, two names share the line: each begins a little inside its corner.
  return y > centre.y
    ? text(x - side * 10, y + 16, label, { ...style, ...anchor })
    : text(x + side * 7, y + 3, label, { ...style, ...anchor });
}
