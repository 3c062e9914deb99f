import type { CallResult, KeptStep } from '../steps/step-words.js';

/** Effects of a turn's calls, in words for the person. */
export interface Effects {
  done: ReadonlySet<string>;
  /** Effects that calls may have had, though no answer says so. */
  unsure: ReadonlySet<string>;
}

/** Collects the effects of a turn's calls. */
export class TurnEffects {
  /** Effects that were noted. Hooks get a copy of the turn, so there is nothing but data in it. */
  readonly noted = { done: new Set<string>(), unsure: new Set<string>() } satisfies Effects;

  /** @param effectOf words what a call of a tool changes; null where it changes nothing */
  constructor(private readonly effectOf: (name: string) => string | null) {}

  note(name: string, { ok, mayBeDone = false }: Pick<CallResult, 'ok' | 'mayBeDone'>): void {
    const effect = this.effectOf(name);
    if (effect === null || !(ok || mayBeDone)) return;
    this.noted[ok ? 'done' : 'unsure'].add(effect);
  }

  /** Notes a call of an earlier try as it was kept. One that has no end there may have come to it. */
  noteKept({ name, state, ok = false, mayBeDone = false }: KeptStep['calls'][number]): void {
    this.note(name, { ok, mayBeDone: mayBeDone || state === 'planned' });
  }
}
