import type { CallResult, KeptStep } from '../steps/step-words.js';
import { wordEffect, type ToolChanges } from '../tools/permission/tool-traits.js';

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

  note(
    { name, changes }: { name: string; changes: ToolChanges },
    { ok, mayBeDone = false }: Pick<CallResult, 'ok' | 'mayBeDone'>,
  ): void {
    const effect = wordEffect(name, changes);
    if (effect === null || !(ok || mayBeDone)) return;
    this.noted[ok ? 'done' : 'unsure'].add(effect);
  }

  /**
   * Notes a call of an earlier try as it was kept. One that has no end there may have come to it.
   * @param tools as they are now: asked for a call that was kept without what it changes
   */
  noteKept(
    { name, changes, state, ok = false, mayBeDone = false }: KeptStep['calls'][number],
    tools: { changesOf(name: string): ToolChanges },
  ): void {
    const call = { name, changes: changes ?? tools.changesOf(name) };
    this.note(call, { ok, mayBeDone: mayBeDone || state === 'planned' });
  }
}
