import { ModelError } from '../errors/model-error.js';

/** Makes the error of a stream that ended before its answer did. Its host had begun, and may charge thoughts that it hides. */
export function cutStream(origin: string): ModelError {
  return new ModelError('cut-stream', `${origin}: the stream ended early`);
}
