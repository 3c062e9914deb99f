import { ModelError } from '../errors/model-error.js';

/** Makes the error of a stream that ended before its answer did. Its host had begun, and may charge thoughts that it hides. */
export function cutStream(origin: string): ModelError {
  return new ModelError('cut-stream', `${origin}: the stream ended early`);
}

/** Longest thought or call that is held while it comes, and most that comes in all: several times what any model writes. */
export const MAX_HELD_CHARACTERS = 400_000;

/**
 * Adds to what is held until it is whole: a host that never ends must not fill the memory.
 * @throws ModelError `garbled`
 */
export function hold(origin: string, held: string, more: string): string {
  if (held.length + more.length > MAX_HELD_CHARACTERS) {
    throw new ModelError('garbled', `${origin}: a thought or call without end`);
  }
  return held + more;
}
