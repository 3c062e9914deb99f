/** Cause of a reply that could not be written where it belongs. */
export type UndeliveredCause = 'no permission' | 'moderated' | 'place gone' | 'person unreachable' | 'other';

export type SignKind = 'reaction' | 'dm';

/** Causes that are worth a DM: the person can act on them, or should know. */
const WORTH_A_DM: ReadonlySet<UndeliveredCause> = new Set(['no permission', 'moderated', 'place gone']);

/**
 * Plans how a person learns that their message was heard and can't be answered where they wrote it: the signs to try in
 * this order, until one works; none is silence. A reaction disturbs nobody else. A DM says why, and says it once.
 * @param canReact null where it is not known
 * @param wasTold was this person told by DM about this place lately?
 */
export function planSigns(facts: {
  cause: UndeliveredCause;
  canReact: boolean | null;
  wasTold: boolean;
}): SignKind[] {
  const { cause, canReact, wasTold } = facts;
  if (cause === 'person unreachable') return [];
  const mayReact = cause !== 'place gone' && canReact !== false;
  const mayWrite = WORTH_A_DM.has(cause) && !wasTold;
  return [...(mayReact ? (['reaction'] as const) : []), ...(mayWrite ? (['dm'] as const) : [])];
}
