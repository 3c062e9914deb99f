import { oneLine } from '@kith/contracts';

/** Characters of a process's output that are kept to say why it ended: a fatal line with its stack is shorter. */
export const TAIL_CHARACTERS = 16_000;
/** Longest reason that a line of progress shows. */
const MAX_CHARACTERS = 400;

/** Line a service writes before the list of its wrong settings (`refusals.ts` of service-host). */
const SETTINGS_REFUSED = "can't start, its settings are wrong:";

/** Beginning of a line of the log, which services of the same process go on writing below that list. */
const LOG_LINE = '{"level":';

/** Wrong settings that a service refused to start with, a line for each. */
export interface Refusal {
  readonly service: string;
  readonly problems: readonly string[];
}

/** The services that refused to start with their settings, by the output of their process. Pure. */
export function refusedSettings(tail: string): Refusal[] {
  const refusals: { service: string; problems: string[] }[] = [];
  let isList = false;
  for (const line of tail.split('\n')) {
    if (line.endsWith(SETTINGS_REFUSED)) {
      refusals.push({ service: line.slice(0, -SETTINGS_REFUSED.length).trim(), problems: [] });
      isList = true;
    } else if (line.startsWith(LOG_LINE)) isList = false;
    else if (isList && line.trim() !== '') refusals.at(-1)?.problems.push(line.trim());
  }
  return refusals;
}

/** Tells each wrong setting in a line of its own, with the services that refused to start with it. Pure. */
export function tellRefusals(refusals: readonly Refusal[]): string {
  const problems = new Set(refusals.flatMap((refusal) => refusal.problems));
  const lines = [...problems].map((problem) => {
    const names = refusals.flatMap((each) => (each.problems.includes(problem) ? each.service : []));
    return `  ${problem} [${names.toSorted().join(', ')}]`;
  });
  return ['settings are wrong, mend them in .env:', ...lines].join('\n');
}

/** Finds why a service could not start, by the end of its output: wrong settings, or its last fatal error. Pure. */
export function fatalReason(tail: string): string | null {
  const refusals = refusedSettings(tail);
  if (refusals.length > 0) return shortReason(tellRefusals(refusals));
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
  return oneLine(text).slice(0, MAX_CHARACTERS) || null;
}
