import { PlainError, reasonOf } from '@kith/contracts';
import { pino } from 'pino';

/** Errors in a row of causes that are looked at: as many as `reasonOf` names. */
const MAX_CAUSES = 4;

/**
 * Shows an error in a log as pino does, its causes included, but for what lies beneath a `PlainError`: a host's own error
 * may quote what was said. So may the detail and the context of an error of Postgres, which quote rows.
 */
export function shownError(error: Error): object {
  if (!standsOnPlain(error)) {
    const shown: object = pino.stdSerializers.err(error);
    // What is no error, as an operator's own code may throw, is shown as it is.
    return shown === error ? shown : { ...shown, detail: undefined, where: undefined };
  }
  const { name: type, message, stack } = error;
  return { type, message, stack, reason: reasonOf(error) };
}

function standsOnPlain(error: unknown): boolean {
  let at = error;
  for (let depth = 0; depth < MAX_CAUSES && at instanceof Error; depth += 1) {
    if (at instanceof PlainError) return true;
    at = at.cause;
  }
  return false;
}
