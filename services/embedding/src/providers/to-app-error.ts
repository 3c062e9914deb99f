import { AppError } from '@kith/contracts';
import { isAboutRequest, type ModelError, type ModelErrorKind } from '@kith/llm';
import type { EmbeddingProvider } from './provider.js';

/**
 * Makes the error that leaves this service. Never a vector from another space instead: what is indexed could not be
 * found by it. Only a text the provider refuses is the caller's fault; the rest is `unavailable`.
 */
export function toAppError(failure: ModelError, provider: EmbeddingProvider): AppError {
  const mend: Partial<Record<ModelErrorKind, string>> = {
    unauthorized: `the key was refused: set ${provider.keySetting} to a valid key, or EMBEDDING_PROVIDER=lexical to work without one`,
    'no-such-model':
      'the model is not there: check EMBEDDING_MODEL. The log names what the host offers; EMBEDDING_NEXT_MODEL moves to another',
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
