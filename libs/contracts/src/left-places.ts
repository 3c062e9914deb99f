import { z } from 'zod';
import { defineRequest } from './define.js';
import { MAX_PLACES } from './door-view.js';
import { Audience } from './words.js';

/** The app was sent away from these places, or is back: what was said there is told elsewhere no more, or again. */
export function leavePlaces(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({ audiences: z.array(Audience).max(MAX_PLACES), left: z.boolean() }),
    response: z.object({}),
    timeoutMs: 10_000,
  });
}
