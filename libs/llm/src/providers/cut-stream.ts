import { ModelError } from '../errors/model-error.js';
import type { TokenCounts } from '../provider.js';

/**
 * Makes the error of a stream that ended before its answer did. Its host had begun, and may charge thoughts that it hides.
 * @param usage as far as the host had counted by then
 */
export function cutStream(origin: string, usage: TokenCounts | null): ModelError {
  return new ModelError('cut-stream', `${origin}: the stream ended early`, { usage });
}
