import type { TurnView } from '@kith/contracts';

const HOOK = 'hook:';

/** Words for why a reply is an apology. */
export function describeApology(reason: TurnView['reason']): string {
  if (reason?.startsWith(HOOK)) return `a rule of the operator's answered: ${reason.slice(HOOK.length)}`;
  if (reason === 'budget') return "the suite's tokens of the day are used up";
  if (reason === 'person-budget') return 'your tokens of the day are used up';
  return reason === null ? 'no model could answer' : `no model could answer: ${reason}`;
}

/** Words for why the companion said nothing. */
export function describeSilence(
  { reason, outcome }: Pick<TurnView, 'reason' | 'outcome'>,
  name: string,
): string {
  if (reason === 'paused') return `${name} is paused and answers nobody`;
  if (reason?.startsWith(HOOK))
    return `a rule of the operator's keeps ${name} silent: ${reason.slice(HOOK.length)}`;
  return `${name} stays silent: ${reason ?? outcome}`;
}
