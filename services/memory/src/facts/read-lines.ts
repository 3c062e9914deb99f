import { present, reasonOf, typedWords } from '@kith/contracts';
import { HOUR_MS } from '@kith/contracts/durations';
import { ReaderEnded } from '@kith/reading';
import type { Logger } from 'pino';
import { isSafeInJest, TAKES_BACK } from './extract-facts.js';
import { keyOfWish, termsOfWish, WISH } from './read-wishes.js';
import type { Statement } from './statement.js';
import type { Fact } from './reconcile-fact.js';

/** A line that a person said, on its way to be read. */
export interface LineToRead {
  text: string;
  saidAt: Date;
  /** The companion's question right before it. It shows what is answered, and is not evidence itself. */
  before?: string | undefined;
}

/** Facts that help to read the lines. */
export interface ReadingContext {
  /** The person's name, null where nobody knows it. */
  name: string | null;
  personId: string;
  companion: string;
  /** Asks for the IANA zone in which "tomorrow" is meant. */
  timeZone(): Promise<string>;
  /** Facts that are known of the person already. */
  known: readonly Fact[];
}

/** Statements of a line; null for one that crashed its reader: it is not read again. */
type StatementsOfLine = readonly Statement[] | null;

/** Statements and importance of each line, by its place. */
export interface Reading {
  statements: readonly StatementsOfLine[];
  /** 1 to 10 for each line; null where nobody judged it. */
  importance: readonly (number | null)[];
}

export type ReadLines = (lines: readonly LineToRead[], context: ReadingContext) => Promise<Reading>;

/** Reads one line by rules. Throws `ReaderEnded` for a line that crashes the reader. */
export type ReadByRules = (line: Pick<LineToRead, 'text' | 'before'>) => Promise<Statement[]>;

/**
 * Reads what was typed in lines by the fast model, or by rules where there is none or it fails. Not by both: the same
 * thing would get two names. Wishes that the rules find go before the model's: they have few forms, and are taken back
 * by the name they were stored under.
 */
export function readLinesBy(model: ReadLines | null, rules: ReadByRules, logger: Logger): ReadLines {
  const readAll = async (lines: readonly LineToRead[]) => {
    const read = await Promise.all(
      lines.map(({ text, before }) => rules({ text, before }).catch(nullIfEnded)),
    );
    return read.map((found, n) => (isTakenBack(lines, n) ? found && found.filter(isSafeInJest) : found));
  };
  return async (said, context) => {
    const lines = said.map((line) => ({ ...line, text: typedWords(line.text) }));
    if (model) {
      try {
        const [reading, byRules] = await Promise.all([model(lines, context), readAll(lines)]);
        return {
          ...reading,
          statements: reading.statements.map((own, n) => withWishes(own, present(byRules[n]))),
        };
      } catch (error) {
        logger.warn(
          { reason: reasonOf(error) },
          'the fast model could not read lines for facts; using the rules',
        );
      }
    }
    return { statements: await readAll(lines), importance: lines.map(() => null) };
  };
}

/**
 * Replaces the wishes that a model found by those of the rules. Where the rules find none, the model's stay, under the name
 * that the rules give such a wish, after any that the line takes back, but for those that are the taken ones themselves.
 */
function withWishes(byModel: StatementsOfLine, byRules: StatementsOfLine): StatementsOfLine {
  const wishes = byRules?.filter(({ attribute }) => attribute.startsWith(WISH)) ?? [];
  if (byModel === null) return null;
  if (wishes.every(({ value }) => value === null)) {
    const isTaken = (said: Statement) => wishes.some(({ was = '' }) => isWishWithin(said, termsOfWish(was)));
    return [...wishes, ...byModel.filter((said) => !isTaken(said)).map(namedAsWish)];
  }
  return [...byModel.filter(({ attribute }) => !attribute.startsWith(WISH)), ...wishes];
}

function isWishWithin({ attribute, value }: Statement, terms: ReadonlySet<string>): boolean {
  return (
    attribute.startsWith(WISH) && value !== null && [...termsOfWish(value)].every((term) => terms.has(term))
  );
}

function namedAsWish(said: Statement): Statement {
  const key = said.value === null || !said.attribute.startsWith(WISH) ? '' : keyOfWish(said.value);
  return key === '' ? said : { ...said, attribute: `${WISH}${key}` };
}

/** The longest pause before a "just kidding" that is about the line before it. */
const JEST_WITHIN_MS = HOUR_MS / 6;

/** Tells whether the next line takes a line back: "I live in Rome", "jk". */
function isTakenBack(lines: readonly LineToRead[], n: number): boolean {
  const [line, next] = lines.slice(n, n + 2);
  return (
    line !== undefined &&
    next !== undefined &&
    TAKES_BACK.test(next.text.trim()) &&
    next.saidAt.getTime() - line.saidAt.getTime() <= JEST_WITHIN_MS
  );
}

function nullIfEnded(error: unknown): null {
  if (error instanceof ReaderEnded) return null;
  throw error;
}
