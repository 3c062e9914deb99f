import { AppError } from '@kith/contracts';
import { isAboutRequest, type ModelError, type ModelErrorKind } from '@kith/llm';
import type { EmbeddingProvider } from './embedding-provider.js';

/**
 * Makes the error that leaves this service: `invalid_request` for a text that the provider refuses, `unavailable` for all
 * else. Another provider's vector would not help: it would find nothing in the index.
 */
export function toAppError(failure: ModelError, provider: EmbeddingProvider): AppError {
  const mend: Partial<Record<ModelErrorKind, string>> = {
    unauthorized: `the key was refused: set ${provider.keySetting} to a valid key`,
    'no-such-model':
      'the model is not there: check EMBEDDING_MODEL, or EMBEDDING_NEXT_MODEL for the next one. The log names what the host offers; EMBEDDING_NEXT_MODEL moves to another',
    'spend-limit': 'the quota is used up: raise it at the provider',
  };
  const hint = mend[failure.kind] ?? failure.message;
  return new AppError(
    isAboutRequest(failure.kind) ? 'invalid_request' : 'unavailable',
    `embedding with ${provider.name} failed: ${hint}`,
    { provider: provider.name, kind: failure.kind },
    { cause: failure },
  );
}
