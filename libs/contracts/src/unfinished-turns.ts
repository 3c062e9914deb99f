import { z } from 'zod';
import { defineRequest } from './define.js';
import { TurnId } from './words.js';

/** As many turns as are asked about at once. */
export const MAX_TURNS_ASKED = 500;

/**
 * Which of these ended turns has the service not handled yet? It knows from its own ledger, which is written
 * together with the work, so the answer holds whatever became of Redis. `dead` are those of the unfinished
 * whose job used up its tries: it waits for an operator.
 */
export function unfinishedTurns(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({ turnIds: z.array(TurnId).min(1).max(MAX_TURNS_ASKED) }),
    response: z.object({ unfinished: z.array(TurnId), dead: z.array(TurnId) }),
    timeoutMs: 5_000,
  });
}
