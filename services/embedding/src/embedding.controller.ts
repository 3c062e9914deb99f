import { embeddingContract, encodeVector } from '@kith/contracts';
import { handleContract } from '@kith/service-host';
import { Embedders } from './embed/embedders.js';

export const EmbeddingController = handleContract(
  embeddingContract,
  {},
  { embedders: Embedders },
  ({ embedders }) => ({
    embed: async ({ texts, purpose, space }) => {
      const embedder = embedders.of(space);
      const vectors = await embedder.embed(texts, purpose);
      return { space: embedder.space, vectors: vectors.map(encodeVector) };
    },
    spaces: () => ({ current: embedders.current.space, next: embedders.next?.space ?? null }),
  }),
);
