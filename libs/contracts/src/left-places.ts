import { z } from 'zod';
import { defineRequest } from './define.js';
import { MAX_PLACES } from './door-view.js';
import { Audience } from './words.js';

/**
 * Notes that the app was removed from these places (`left`), or is back: what was said there is no longer told
 * elsewhere, or is told again.
 */
export function leavePlaces(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({ audiences: z.array(Audience).max(MAX_PLACES), left: z.boolean() }),
    response: z.object({}),
    timeoutMs: 10_000,
  });
}
