import { ModelChainError, ModelError } from '@kith/llm';
import { ReaderEnded } from '@kith/reading';
import type { Logger } from 'pino';
import type { Statement } from './extract-facts.js';
import type { Fact } from './reconcile-facts.js';

/** Something a person said, on its way to be read. */
export interface Line {
  text: string;
  saidAt: Date;
  /** What the companion had asked right before it: tells what is answered, and is evidence of nothing. */
  before?: string | undefined;
}

/** What is told beside the lines. */
export interface ReadingContext {
  /** The person's name, null where nobody knows it. */
  name: string | null;
  companion: string;
  /** Asks for the IANA zone in which "tomorrow" is meant. */
  timeZone(): Promise<string>;
  /** What is known of them already. */
  known: readonly Fact[];
}

/** What the lines say, by their places. */
export interface Reading {
  /** Null for a line that ended its reader: nothing is known of it, and it is not to be read again. */
  statements: readonly (readonly Statement[] | null)[];
  /** 1 to 10 for each line; null where nobody judged it. */
  importance: readonly (number | null)[];
}

export type ReadLines = (lines: readonly Line[], context: ReadingContext) => Promise<Reading>;

/** Reads one line by rules. Throws `ReaderEnded` for a line that can't be read to its end. */
export type ReadByRules = (line: Pick<Line, 'text' | 'before'>) => Promise<Statement[]>;

/**
 * Reads lines by the fast model where there is one, and by rules where there is none or it fails: never by both, which
 * would name the same thing in two ways.
 */
export function readLinesBy(model: ReadLines | null, rules: ReadByRules, logger: Logger): ReadLines {
  return async (lines, context) => {
    if (model) {
      try {
        return await model(lines, context);
      } catch (error) {
        logger.warn(
          { reason: reasonOf(error) },
          'the fast model did not read what was said; by rules instead',
        );
      }
    }
    const statements = lines.map(({ text, before }) => rules({ text, before }).catch(nullIfEnded));
    return { statements: await Promise.all(statements), importance: lines.map(() => null) };
  };
}

function nullIfEnded(error: unknown): null {
  if (error instanceof ReaderEnded) return null;
  throw error;
}

/** Why, without the message of an error that may quote what was said. */
function reasonOf(error: unknown): string {
  if (error instanceof ModelChainError || error instanceof ModelError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
