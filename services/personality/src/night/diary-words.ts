import type { ReflectedQuirk } from './reflect-on-quirks.js';

/** Separates the sentences of a stored entry, so that some of them can be left out. */
export const LINE_END = '\n';

/** Mention of any habit, as `mentionOf` words it. */
export const HABIT = /\bkept (?:coming back to|saying) /u;

/** Words a habit the way an entry mentions it. */
export function mentionOf({ kind, text }: Pick<ReflectedQuirk, 'kind' | 'text'>): string {
  return kind === 'interest' ? `kept coming back to ${text}` : `kept saying “${text}”`;
}
