import { embeddingContract, encodeVector } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { PARTS } from './parts.js';

export const EmbeddingController = handleContract(embeddingContract, {}, PARTS, ({ embedders }) => ({
  embed: async ({ texts, purpose, space }) => {
    const embedder = embedders.of(space);
    const vectors = await embedder.embed(texts, purpose);
    return { space: embedder.space, vectors: vectors.map(encodeVector) };
  },
  spaces: () => ({ current: embedders.current.space, next: embedders.next?.space ?? null }),
}));
