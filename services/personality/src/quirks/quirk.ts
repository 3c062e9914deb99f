import type { QuirkKind } from '@kith/contracts';

/** A small habit of speech or interest. */
export interface Quirk {
  kind: QuirkKind;
  text: string;
  /** In [0, 1], as of `day`. */
  strength: number;
  origin: 'persona' | 'reflection';
  /** The last day that was reflected on it, as ISO date. */
  day: string;
}

/** What a persona says of quirks. */
export interface QuirkRules {
  seeds: readonly Pick<Quirk, 'kind' | 'text' | 'strength'>[];
  veto: readonly string[];
  limit: number;
}

/** For a persona that says nothing of quirks: none to begin with, and room for a few. */
export const USUAL_RULES: QuirkRules = { seeds: [], veto: [], limit: 8 };

/** Without anything that feeds it, a habit is half as strong after ten days, and gone after a month. */
const HALF_LIFE_DAYS = 10;
const DAY_MS = 24 * 3_600_000;

/** Below this a quirk is none. */
export const FAINTEST_QUIRK = 0.1;

/**
 * A quirk on a later day. One of the persona's own fades to half of what its author gave it and stays: it is part
 * of who this is.
 */
export function fadedTo(quirk: Quirk, day: string, { seeds }: QuirkRules): Quirk {
  const days = Math.max(0, Date.parse(day) - Date.parse(quirk.day)) / DAY_MS;
  const seed = seeds.find(({ kind, text }) => kind === quirk.kind && text === quirk.text);
  const floor = (seed?.strength ?? 0) / 2;
  const faded = quirk.strength * 2 ** (-days / HALF_LIFE_DAYS);
  return {
    ...quirk,
    strength: Math.max(Math.min(floor, quirk.strength), faded),
    day: days > 0 ? day : quirk.day,
  };
}

/** Does a text hold a vetoed word or phrase? Whole words, so that `art` does not veto `party`. */
export function isVetoed(text: string, veto: readonly string[]): boolean {
  const words = ` ${text} `;
  return veto.some((vetoed) => words.includes(` ${vetoed.toLowerCase()} `));
}
