import { sql, type Sql } from '@kith/database';

interface Line {
  /** Person who said it, or to whom the companion said it. */
  personId: string;
  text: string;
  withheld: string | null;
  /** The app was sent away from the place where it was said. */
  isLeft?: boolean;
}

/**
 * Tells whether a line may be told: the one rule for prompts, tools, summaries, facts, reasons to write, traces and
 * exports. What is private is told to its own person alone, and only as long as they talk in private: then its words
 * go. What was said in a place that the app has left is told to nobody until it is back; what is made of it is for
 * those who could hear it there, and is held back with it by the service that keeps it.
 * @param to the person whose own talk it is told in; null where something is made of it
 */
export function mayTell({ personId, text, withheld, isLeft = false }: Line, to: string | null): boolean {
  if (isLeft && to !== null) return false;
  if (withheld === null) return true;
  return withheld === 'private' && personId === to && text !== '';
}

/** Writes the rule as a condition, for queries of the newest lines of the place they are told in: the app is there. */
export function toldTo(personId: string): Sql {
  return sql`(withheld IS NULL OR withheld = 'private' AND person_id = ${personId}::uuid AND text <> '')`;
}
