import { sql, type Sql } from '@kith/database';

interface TellableLine {
  /** Person who said it, or to whom the companion said it. */
  personId: string;
  text: string;
  withheld: string | null;
  /** The app was sent away from the place where it was said. */
  isLeft?: boolean;
}

/**
 * Tells whether a line may be told: the one rule for prompts, tools, summaries, facts, reasons to write, traces and
 * exports. A private line is told to its own person alone, and is emptied when the private talk ends. A line of a place
 * that the app has left is told to nobody until the app is back. Services still derive from it: they hold that back
 * themselves while the app is away.
 * @param to the person whose own talk it is told in; null where something is derived from it
 */
export function mayTell({ personId, text, withheld, isLeft = false }: TellableLine, to: string | null) {
  if (isLeft && to !== null) return false;
  if (withheld === null) return true;
  return withheld === 'private' && personId === to && text !== '';
}

/** SQL of the same rule, for a conversation that the app has not left. */
export function toldTo(personId: string): Sql {
  return sql`(withheld IS NULL OR withheld = 'private' AND person_id = ${personId}::uuid AND text <> '')`;
}
