import { ModelChainError, ModelError } from '@kith/llm';
import { ReaderEnded } from '@kith/reading';
import type { Logger } from 'pino';
import type { Statement } from './statement.js';
import type { Fact } from './reconcile-facts.js';

/** A line that a person said, on its way to be read. */
export interface Line {
  text: string;
  saidAt: Date;
  /** The companion's question right before it: tells what is answered, and is evidence of nothing. */
  before?: string | undefined;
}

/** Facts that help to read the lines. */
export interface ReadingContext {
  /** The person's name, null where nobody knows it. */
  name: string | null;
  companion: string;
  /** Asks for the IANA zone in which "tomorrow" is meant. */
  timeZone(): Promise<string>;
  /** Facts that are known of the person already. */
  known: readonly Fact[];
}

/** Statements and importance of each line, by its place. */
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
          'the fast model could not read lines for facts; using the rules',
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

/** Gives the reason of an error, without a message that may quote what was said. */
function reasonOf(error: unknown): string {
  if (error instanceof ModelChainError || error instanceof ModelError) return error.message;
  return error instanceof Error ? error.name : 'unknown';
}
