import { estimateTokens, ModelError } from '@kith/llm';
import type { CountedCall } from '@kith/service-host';
import type { EmbeddingProvider } from '../providers/embedding-provider.js';

/** Counts the calls of a provider that charges for them; a failed one too where its host had begun to work on it. */
export function countCalls(
  provider: EmbeddingProvider,
  note: (call: CountedCall) => void,
): EmbeddingProvider {
  const { charged } = provider;
  if (charged === null) return provider;
  return {
    ...provider,
    async embed(texts, purpose) {
      const host: { tokens: number | null } = { tokens: null };
      const count = () => {
        const promptTokens = host.tokens ?? texts.reduce((sum, text) => sum + estimateTokens(text), 0);
        const usage = { promptTokens, completionTokens: 0 };
        note({
          role: 'embedding',
          model: charged,
          account: {},
          usage,
          usageIsEstimated: host.tokens === null,
          cost: null,
        });
      };
      try {
        const vectors = await provider.embed(texts, purpose, (tokens) => (host.tokens = tokens));
        count();
        return vectors;
      } catch (error) {
        const wasTakenUp = error instanceof ModelError && error.kind === 'timeout';
        if (host.tokens !== null || wasTakenUp) count();
        throw error;
      }
    },
  };
}
