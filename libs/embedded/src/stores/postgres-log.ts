/** Beginning of each line of PostgreSQL's log: when, which process, and its kind in angle brackets. */
export const LOG_LINE_PREFIX = '%m [%p] <%b> ';
/** Longest reason that a line of progress shows: one that names a file of the cluster is shorter. */
const MAX_CHARACTERS = 400;
/** A PANIC ends all of it. A FATAL does in the processes that it can't be without: elsewhere it ends one connection. */
const ENDS_ALL = /^[^<]*<(?:[^>]*> PANIC|(?:postmaster|startup|checkpointer|walwriter)> FATAL): /;
/** A server that has started, or got over a PANIC by itself. */
export const IS_READY = /^[^<]*<postmaster> LOG: {2}database system is ready to accept connections/;

/**
 * Finds the line of PostgreSQL's log that tells why it ends. Such a line holds no statement: those have lines of their own.
 * Pure.
 * @param before the line that was found in its log so far; empty where there is none
 */
export function fatalLineOf(log: string, before: string): string {
  const line = log.split('\n').findLast((each) => ENDS_ALL.test(each) || IS_READY.test(each));
  if (line === undefined) return before;
  if (IS_READY.test(line)) return '';
  return line.slice(line.indexOf('> ') + '> '.length).slice(0, MAX_CHARACTERS);
}
