import { oneLine } from '@kith/contracts';

/** Characters of a process's output that are kept to say why it ended: a fatal line with its stack is shorter. */
export const TAIL_CHARACTERS = 16_000;
/** Longest reason that a line of progress shows. */
const MAX_CHARACTERS = 400;

/** Line a service writes before the list of its wrong settings (`run-service.ts`). */
const SETTINGS_REFUSED = "can't start, its settings are wrong:";

/** Beginning of a line of the log, which services of the same process go on writing below that list. */
const LOG_LINE = '\n{"level":';

/** The settings that a service refused to start with, by the end of its output; null where it did not. Pure. */
export function refusedSettings(tail: string): string | null {
  const refusal = tail.lastIndexOf(SETTINGS_REFUSED);
  if (refusal === -1) return null;
  const [list = ''] = tail.slice(refusal + SETTINGS_REFUSED.length).split(LOG_LINE);
  return shortReason(list);
}

/**
 * Finds why a service could not start, from the end of its output: its wrong settings, or the error of its last
 * fatal line. Null where it ended without one. Pure.
 */
export function fatalReason(tail: string): string | null {
  const refused = refusedSettings(tail);
  if (refused !== null) return refused;
  const line = tail.split('\n').findLast((each) => each.startsWith('{"level":"fatal"'));
  if (line === undefined) return null;
  try {
    const { err, msg } = JSON.parse(line) as { err?: { message?: string }; msg?: string };
    return shortReason(err?.message ?? msg ?? '');
  } catch {
    return null;
  }
}

function shortReason(text: string): string | null {
  const words = oneLine(text);
  return words === '' ? null : words.slice(0, MAX_CHARACTERS);
}
