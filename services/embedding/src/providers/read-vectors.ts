import { ModelError } from '@kith/llm';
import { toUnitLength } from '@kith/lexical-embedding';

/**
 * Checks that there is one vector of the right length for each text, and scales each to unit length: models whose
 * vectors can be shortened do so for full ones only.
 */
export function readVectors(
  vectors: readonly (ArrayLike<number> | undefined)[],
  count: number,
  dimensions: number,
): Float32Array[] {
  if (vectors.length !== count) {
    throw new ModelError('garbled', `it answered ${vectors.length} vectors for ${count} texts`);
  }
  return vectors.map((vector) => {
    if (vector?.length !== dimensions) {
      throw new ModelError(
        'garbled',
        `it answers ${vector?.length ?? 0} numbers where ${dimensions} are expected: set EMBEDDING_DIMENSIONS to what the model answers`,
      );
    }
    try {
      return toUnitLength(vector);
    } catch (cause) {
      // The others of its batch may have one: it is told apart as a text that is refused.
      throw new ModelError('refused', 'it answered a vector without direction', { cause });
    }
  });
}
