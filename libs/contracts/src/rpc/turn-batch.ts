import { z } from 'zod';
import { AppError } from '../errors/app-error.js';
import { defineJob, defineRequest } from './define.js';
import { TurnId } from '../values/words.js';

/** The most turns that one request asks about. */
export const MAX_TURNS_ASKED = 500;

/** The most turns that one job carries. */
export const MAX_TURNS_IN_JOB = 50;

/** Ended turns that are handled together: a job for each would cost more than the work of most. */
export const TurnBatch = z.object({ turnIds: z.array(TurnId).min(1).max(MAX_TURNS_IN_JOB) });

/** Handles ended turns, each once: the service notes each in its ledger together with the work. */
export function handleTurns(pattern: string) {
  return defineJob(pattern, {
    payload: TurnBatch,
    // A turn is the first of one batch only; alone it is ordered when its batch was lost or given up.
    idOf: ({ turnIds }) => `${turnIds[0]}-${turnIds.length}`,
    partsOf: ({ turnIds }) => turnIds.map((turnId) => ({ turnIds: [turnId] })),
    attempts: 10,
  });
}

/** Makes the error by which such a job tells the operator, after the others, of turns that ended their reader twice. */
export function unreadError(turnIds: readonly string[]): AppError {
  return new AppError(
    'invalid_request',
    `ended its reader twice, and is left unread: turn ${turnIds.join(', ')}`,
  );
}

/** A job of `handleTurns`. */
export type TurnJob = ReturnType<typeof handleTurns>;

/**
 * Names which of these ended turns the service has not handled yet. It knows from its own ledger, which is written
 * together with the work, so the answer holds whatever became of Redis. `dead` are those of the unfinished
 * whose own job used up its tries: it waits for an operator.
 */
export function unfinishedTurns(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({ turnIds: z.array(TurnId).min(1).max(MAX_TURNS_ASKED) }),
    response: z.object({ unfinished: z.array(TurnId), dead: z.array(TurnId) }),
    timeoutMs: 5_000,
  });
}
