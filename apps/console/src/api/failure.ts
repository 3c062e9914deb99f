import { wordsOf } from '../page/problem.js';
import { ApiError } from './api-client.js';

/** Words for a failure; with what may be tried again as it is, because the same may succeed later. */
export interface Failure {
  words: string;
  mayPass: boolean;
}

/** Work that failed. */
export interface FailedWork extends Failure {
  /** Thing that it was to change: the next success with it puts the failure right. */
  subject: string;
  work: () => Promise<unknown>;
}

/** Tells a failure: silence, too many requests and a part that is down pass, a refusal does not. */
export function failureOf(error: unknown): Failure {
  const { status } = error instanceof ApiError ? error : { status: null };
  const mayPass = status !== null && (status === 0 || status === 429 || status >= 500);
  return { words: wordsOf(error), mayPass };
}

/**
 * Finds what is left of a failure after other work succeeded. One that may be tried again stays until its own subject
 * succeeds: it is not saved yet. One that may not has been told.
 */
export function failureAfter(failed: FailedWork | null, subject: string): FailedWork | null {
  return failed?.mayPass === true && failed.subject !== subject ? failed : null;
}
