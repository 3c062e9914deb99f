import { z } from 'zod';

/** Place that a tool reads from. */
export type ToolSource = 'memories' | 'conversation' | 'outside';

/** Part of the world that a tool changes. `memory` has a gate of its own; what changes `outside` can't be taken back by us. */
export const ToolChanges = z.enum(['nothing', 'memory', 'outside']);
export type ToolChanges = z.infer<typeof ToolChanges>;

/** Properties by which it is decided whether a tool may be used. Each tool declares its own. */
export interface ToolTraits {
  name: string;
  /** Places it reads from. */
  reads: readonly ToolSource[];
  changes: ToolChanges;
  /** Party that allows it: `operator` needs a rule; `built-in` may be used until a rule denies it. */
  allowedBy: 'built-in' | 'operator';
  /** Phrases with which people ask for it, beside its name's words. */
  asks: readonly string[];
  /** Hash of its description and schema: a rule or a consent holds for this form of it alone. */
  pin: string;
}

/** Finds what a tool changes. One that is not known any more was one from outside, and may have changed something there. */
export function changesOf(traits: ToolTraits | undefined): ToolChanges {
  return traits?.changes ?? 'outside';
}

/** Words for the person what a call of a tool changes; null where it changes nothing. */
export function wordEffect(name: string, changes: ToolChanges): string | null {
  if (changes === 'nothing') return null;
  return changes === 'memory' ? 'my notes' : name.replaceAll(/[_-]+/g, ' ');
}

/** Tells whether a call leaves the suite, to look there or to change something. */
export function reachesOutside({ reads, changes }: Pick<ToolTraits, 'reads' | 'changes'>): boolean {
  return changes === 'outside' || reads.includes('outside');
}
