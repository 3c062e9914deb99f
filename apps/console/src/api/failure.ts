import { wordsOf } from '../page/problem.js';
import { sentence } from '../page/sentence.js';
import { ApiError } from './api-client.js';

/** Words for a failure, and whether it may pass, so that the same may succeed later. */
export interface Failure {
  words: string;
  mayPass: boolean;
}

/** Work that failed. */
export interface FailedWork extends Failure {
  /** Thing that it was to change: the next success with it clears the failure. */
  subject: string;
  work: () => Promise<unknown>;
}

/** Describes a failure. No answer, too many requests or a part that is down may pass; a refusal does not. */
export function failureOf(error: unknown): Failure {
  const { status } = error instanceof ApiError ? error : { status: null };
  const mayPass = status !== null && (status === 0 || status === 429 || status >= 500);
  return { words: wordsOf(error), mayPass };
}

/**
 * Finds what is left of a failure after other work succeeded. One that may be tried again stays until its own subject
 * succeeds: it is not saved yet. One that may not was already shown.
 */
export function failureAfter(failed: FailedWork | null, subject: string): FailedWork | null {
  return failed?.mayPass === true && failed.subject !== subject ? failed : null;
}

/** Words for a failure; where what was read before is still shown, they say that it may have changed since. */
export function failureWords(words: string, isOldShown: boolean): string {
  return isOldShown
    ? `${sentence(words)} What is shown here was read before that, and may have changed since.`
    : words;
}
