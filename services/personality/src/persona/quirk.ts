import type { Persona } from '@kith/characters';
import { DAY_MS, type Audience, type QuirkKind } from '@kith/contracts';

/** A small habit of speech or interest. */
export interface Quirk {
  kind: QuirkKind;
  text: string;
  /** In [0, 1], as of `day`. */
  strength: number;
  origin: 'persona' | 'reflection';
  /** The channel that it shows in, or `EVERYWHERE`. */
  audience: string;
  /** The last day that was reflected on it, as ISO date. */
  day: string;
}

/** Audience of a quirk that shows wherever the companion talks. */
export const EVERYWHERE = 'everywhere';

/** A persona's settings for quirks. */
export type QuirkRules = NonNullable<Persona['quirks']>;

/** Settings of a persona that names none: no quirks to begin with, and room for a few. */
export const USUAL_RULES: QuirkRules = { seeds: [], veto: [], limit: 8 };

/** A habit that nothing feeds is half as strong after ten days, and gone after a month. */
const HALF_LIFE_DAYS = 10;
/** A quirk weaker than this is gone. */
export const FAINTEST_QUIRK = 0.1;
/** Days after which nothing is left of what a turn gave a habit: one that was not fed since is gone. */
export const FED_FOR_DAYS = Math.ceil(HALF_LIFE_DAYS * Math.log2(1 / FAINTEST_QUIRK));

/** Fades a quirk to a later day. A seed of the persona stays at half of its strength: it is part of the character. */
export function fadedTo<One extends Quirk>(quirk: One, day: string, { seeds }: QuirkRules): One {
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

/** The quirks on a later day, without those that are vetoed since: the next night deletes them. */
export function quirksOn<One extends Quirk>(quirks: readonly One[], day: string, rules: QuirkRules): One[] {
  return quirks.filter(({ text }) => !isVetoed(text, rules.veto)).map((quirk) => fadedTo(quirk, day, rules));
}

/** Tells whether a quirk shows where this audience listens. A DM shows no channel's: its person may not read there. */
export function showsIn(listener: Audience, { audience }: Pick<Quirk, 'audience'>): boolean {
  return audience === EVERYWHERE || audience === listener;
}

/** Tells whether a text holds a vetoed word or phrase. Whole words, so that `art` does not veto `party`. */
export function isVetoed(text: string, veto: readonly string[]): boolean {
  const words = ` ${text} `;
  return veto.some((vetoed) => words.includes(` ${vetoed.toLowerCase()} `));
}
