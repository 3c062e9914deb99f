import { z } from 'zod';
import type { TurnOutcome } from './read-turn.js';

/**
 * Reason by which an outreach was not said that passes by itself: nobody could tell whether it was still allowed, the
 * companion was paused, it waited too long for its turn, the day's tokens were spent, or no model answered.
 */
export const PassingReason = z.enum([
  'unasked',
  'paused',
  'stale-outreach',
  'budget',
  'person-budget',
  'no-model',
]);
export type PassingReason = z.infer<typeof PassingReason>;

/** Reason for a turn's outcome that has a name of its own. */
export type NamedReason = keyof typeof REASON_WORDS;

/** Reason of an operator's hook: its name, and its own words. */
export type HookReason = `hook:${string}`;

/**
 * Reason that a turn ends with: a name, a hook's, or how each model failed. What is read may be of another version, and
 * is any text.
 */
export type TurnReason = NamedReason | HookReason | `no ${string} model answered: ${string}`;

/** Words for each reason, as people are told behind what came of their message, or of a companion's own. */
const REASON_WORDS = {
  unasked: 'nobody could tell whether it was still allowed',
  paused: 'it was paused',
  'stale-outreach': 'it waited too long for its turn',
  budget: 'the tokens of the day were used up',
  'person-budget': 'your tokens of the day were used up',
  'no-model': 'no model answered',
  'called-off': 'it was not allowed to arrive any more',
  'cannot-write-there': 'it may not write there',
  deleted: 'it was deleted before there was an answer',
  erased: 'all that was kept of you was erased',
  gone: 'its conversation was deleted',
  guilt: 'its words put pressure on you',
  'no-memory': 'memory was out of reach',
  'nothing-said': 'there was nothing in it to answer',
  poison: 'every try to answer it failed',
  restored: 'a backup was restored before there was an answer',
  retired: 'it was out of service',
  rules: 'it went by its rules, and asked no model',
  stopped: 'no answer was wanted any more',
  thought: 'it thought for itself',
  unreadable: 'nobody could tell where its answer goes',
};
const HOOK = 'hook:';
/** A name, of a version that has others: no words of anybody. */
const NAME = /^[a-z]+(-[a-z]+)*$/;

/** Words for a reason of any version. */
export function describeReason(reason: string): string {
  if (Object.hasOwn(REASON_WORDS, reason)) return REASON_WORDS[reason as NamedReason];
  if (reason.startsWith(HOOK)) return `a rule of the operator’s: ${reason.slice(HOOK.length)}`;
  return NAME.test(reason) ? `a reason that has no words here (${reason})` : reason;
}

/** Part of a rule of the operator’s in how a turn ended. */
const RULED = {
  apologised: 'answered',
  silent: 'kept this without an answer',
  dropped: 'set this message aside',
} as const satisfies Partial<Record<TurnOutcome, string>>;

/** Says in place of an ordinary reply how a turn ended, and why; null for an answer. */
export function describeEnding(
  { outcome, reason }: { outcome: TurnOutcome; reason: string | null },
  name: string,
): string | null {
  if (outcome === 'answered') return null;
  if (reason?.startsWith(HOOK) === true)
    return `a rule of the operator’s ${RULED[outcome]}: ${reason.slice(HOOK.length)}`;
  const because = reason === null ? '' : `: ${describeReason(reason)}`;
  switch (outcome) {
    case 'apologised':
      return `this is an apology, not an answer${because}`;
    case 'silent':
      return `${name} read this and said nothing${because}`;
    case 'dropped':
      return `this message was set aside without a reply${because}`;
  }
}
