import { ModelError, readFailure } from '@kith/llm';
import { toUnitLength } from '@kith/lexical-embedding';
import type { z } from 'zod';

/** Reads the vectors out of a host's answer. @throws ModelError `garbled` where it has another form */
export function readAnswer<Schema extends z.ZodType>(form: Schema, answer: unknown): z.output<Schema> {
  const read = form.safeParse(answer);
  if (read.success) return read.data;
  throw new ModelError('garbled', 'it answered no vectors of numbers', { cause: read.error });
}

/**
 * Checks that there is one vector of the right length for each text, and scales each to unit length: models whose
 * vectors can be shortened scale only full ones.
 */
export function readVectors(
  vectors: readonly (ArrayLike<number> | undefined)[],
  count: number,
  dimensions: number,
): Float32Array[] {
  if (vectors.length !== count) {
    throw new ModelError('garbled', `it answered ${vectors.length} vectors for ${count} texts`);
  }
  const failures: unknown[] = [];
  const read = vectors.map((vector) => {
    if (vector?.length !== dimensions) {
      throw new ModelError(
        'garbled',
        `it answers ${vector?.length ?? 0} numbers where ${dimensions} are expected: set EMBEDDING_DIMENSIONS to what the model answers`,
      );
    }
    try {
      return toUnitLength(vector);
    } catch (error) {
      failures.push(error);
      return new Float32Array();
    }
  });
  if (failures.length === 0) return read;
  // Where others of the batch have a direction, this text is refused. Where none has, the host is at fault.
  const kind = count > 1 && failures.length === count ? 'garbled' : 'refused';
  throw new ModelError(kind, 'it answered a vector without direction', { cause: failures[0] });
}

/**
 * Makes the error of a call that an SDK threw for: `timeout` where our own timer had ended it, which an SDK takes for a
 * host out of reach. Such a call was taken up and may be charged, and is not made again.
 * @param timer signal that the call was made with
 */
export function failureOf(
  error: unknown,
  timer: AbortSignal,
  { provider, retryAfter = null }: { provider: string; retryAfter?: string | null },
): ModelError {
  if (timer.aborted) return new ModelError('timeout', `${provider}: no answer in time`, { cause: error });
  return readFailure(error, { provider, opened: false, retryAfter });
}
