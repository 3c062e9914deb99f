import type { Habit } from './find-habits.js';
import {
  EVERYWHERE,
  fadedTo,
  FAINTEST_QUIRK,
  isVetoed,
  type Quirk,
  type QuirkRules,
} from '../persona/quirk.js';

/** A quirk after the night, with the turns of this day that fed it. */
export interface ReflectedQuirk extends Quirk {
  sources: Habit['sources'];
}

/** Strength of a habit that was just picked up: it shows, and is gone in two weeks if it was a whim. */
const FIRST_STRENGTH = 0.3;

/** A day that feeds a habit closes this part of what is left to its full strength. */
const FED_STEP = 0.25;

/** A character changes slowly: of each kind at most one habit is picked up in a night. */
const NEW_A_NIGHT = 1;

/**
 * Changes the quirks over a night: those that the day fed grow, the others fade, and a habit of the day may become
 * one while there is room. Depends on its input alone. Returns those that are kept, and those that faded away or were
 * vetoed since.
 */
export function reflectOnQuirks(
  quirks: readonly Quirk[],
  habits: readonly Habit[],
  rules: QuirkRules,
  day: string,
) {
  // What the persona names is nobody's secret, so it grows by talk of any place.
  const sourcesOf = (quirk: Quirk) =>
    habits
      .filter((habit) => isSame(habit, quirk))
      .filter(({ audience }) => quirk.origin === 'persona' || audience === quirk.audience)
      .flatMap(({ sources }) => sources);
  const after = quirks.map((quirk) => fed(fadedTo(quirk, day, rules), sourcesOf(quirk)));
  // The persona's own stay however faint: deleted, they would be as strong as at first after the next start.
  const isGone = ({ text, strength, origin }: Quirk) =>
    (strength < FAINTEST_QUIRK && origin !== 'persona') || isVetoed(text, rules.veto);
  const kept: ReflectedQuirk[] = after.filter((quirk) => !isGone(quirk));
  const isNew = (habit: Habit) =>
    !isVetoed(habit.text, rules.veto) &&
    !after.some((quirk) => isSame(habit, quirk) && [EVERYWHERE, habit.audience].includes(quirk.audience));
  for (const kind of ['interest', 'speech'] as const) {
    const room = Math.min(NEW_A_NIGHT, rules.limit - kept.length);
    const found = habits.filter((habit) => habit.kind === kind && isNew(habit)).slice(0, Math.max(0, room));
    kept.push(
      ...found.map((habit) => ({ ...habit, strength: FIRST_STRENGTH, origin: 'reflection' as const, day })),
    );
  }
  return { kept, gone: after.filter(isGone) };
}

function isSame(one: Pick<Quirk, 'kind' | 'text'>, other: Pick<Quirk, 'kind' | 'text'>): boolean {
  return one.kind === other.kind && one.text === other.text;
}

function fed(quirk: Quirk, sources: Habit['sources']): ReflectedQuirk {
  if (sources.length === 0) return { ...quirk, sources };
  return { ...quirk, sources, strength: quirk.strength + (1 - quirk.strength) * FED_STEP };
}
