import { nth } from './figures.ts';

export const PLACES = 'harbour bakery library garden station museum kitchen river market attic'.split(' ');
export const THINGS = 'kettle bicycle violin letter lantern puzzle scarf compass teapot ladder'.split(' ');
const DEEDS = 'found painted lost repaired borrowed hid sold dreamt-of photographed wrapped'
  .split(' ')
  .map((deed) => deed.replace('-', ' '));

/** Makes one of many lines that differ, with words in common. */
export function sentence(n: number): string {
  const pick = (list: string[], step: number) => nth(list, Math.floor(n / step));
  return `On day ${n} I ${pick(DEEDS, 1)} a ${pick(THINGS, 10)} near the ${pick(PLACES, 100)} with number ${n % 977}.`;
}
