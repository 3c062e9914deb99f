import { AppError } from './app-error.js';

/** Error whose message never quotes what was said or answered, so that it may be logged. */
export abstract class PlainError extends Error {}

/** Errors in a row of causes that are named: the ones beneath say the same again. */
const MAX_CAUSES = 4;
/** A name or code is a word; anything longer may hold what was said. */
const WORD = /^[\w.[\]-]{1,60}$/;

/**
 * Names why something failed, for a log: by the names, codes and statuses of an error and its causes. Their messages may
 * quote what people said or hosts answered, but for those of a `PlainError`, which says all that is needed.
 */
export function reasonOf(error: unknown): string {
  const named: string[] = [];
  let at = error;
  while (at instanceof Error && named.length < MAX_CAUSES) {
    if (at instanceof PlainError) {
      named.push(at.message);
      break;
    }
    named.push(nameOf(at));
    at = at.cause;
  }
  return named.join(' by ') || 'unknown';
}

function nameOf(error: Error): string {
  const { code, status } = error as { code?: unknown; status?: unknown };
  // A status among the details of ours would become that of our own answer.
  const answered = error instanceof AppError ? error.details?.['answered'] : status;
  return [error.name, code, answered].flatMap((part) => wordOf(part) ?? []).join(' ') || 'Error';
}

function wordOf(part: unknown): string | null {
  const word = typeof part === 'number' ? String(part) : part;
  return typeof word === 'string' && WORD.test(word) ? word : null;
}
