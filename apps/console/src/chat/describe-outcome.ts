import type { TurnView } from '@kith/contracts';

const DEGRADED: Readonly<Record<string, string>> = {
  memory: 'without recall',
  personality: 'without its mood',
  dense: 'recall by words alone',
  lexical: 'recall by meaning alone',
  model: 'without a model',
};

/** Names the parts a reply did without, in a few words each. Parts that this page does not know keep their name. */
export function describeDegraded(degraded: readonly string[]): string[] {
  if (degraded.includes('dense') && degraded.includes('lexical')) {
    const others = degraded.filter((part) => part !== 'dense' && part !== 'lexical');
    return ['recall by plain text search', ...describeDegraded(others)];
  }
  return degraded.map((part) => DEGRADED[part] ?? `without ${part}`);
}

/** Reasons of the operator’s hooks begin with it. */
const HOOK = 'hook:';
/** Part of a rule in how a turn ended. */
const RULED = {
  apologised: 'answered',
  silent: 'kept this without an answer',
  dropped: 'set this message aside',
} as const satisfies Partial<Record<TurnView['outcome'], string>>;

/** The line shown in place of an ordinary reply, with the reason; null for an answer. */
export function describeOutcome(turn: Pick<TurnView, 'outcome' | 'reason'>, name: string): string | null {
  const { outcome, reason } = turn;
  if (outcome === 'answered') return null;
  if (reason?.startsWith(HOOK) === true)
    return `A rule of the operator’s ${RULED[outcome]}: ${reason.slice(HOOK.length)}`;
  const because = reason === null ? '' : `: ${reason}`;
  switch (outcome) {
    case 'apologised':
      return `No model could be reached, so this is an apology, not an answer${because}`;
    case 'silent':
      if (reason === 'paused') return `${name} is paused and answers nobody.`;
      return `${name} read this and chose to say nothing${because}`;
    case 'dropped':
      return `This message was set aside without a reply${because}`;
  }
}
