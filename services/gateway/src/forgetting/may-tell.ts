import type { Prisma } from '@kith/database';

interface Line {
  /** Who said it, or to whom the companion said it. */
  personId: string;
  text: string;
  withheld: string | null;
}

/**
 * May this line be told? The one rule for prompts, tools, summaries, facts, reasons to write, traces and exports. What
 * is private is told to its own person alone, and only as long as they talk in private: then its words go.
 * @param to the person whose own talk it is told in; null where something is made of it
 */
export function mayTell({ personId, text, withheld }: Line, to: string | null): boolean {
  if (withheld === null) return true;
  return withheld === 'private' && personId === to && text !== '';
}

/** The same as a condition, for queries that take the newest lines. */
export function toldTo(personId: string): Prisma.TranscriptMessageWhereInput {
  return { OR: [{ withheld: null }, { withheld: 'private', personId, text: { not: '' } }] };
}
