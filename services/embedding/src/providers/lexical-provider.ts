import { setImmediate as breathe } from 'node:timers/promises';
import { embedLexically, LEXICAL_SPACE } from '@kith/lexical-embedding';
import type { EmbeddingProvider } from './embedding-provider.js';

/** Characters that are embedded before other requests get a turn. */
const CHARACTERS_PER_BREATH = 8_000;

/** Embeds offline, without network, key or cost. */
export function lexicalProvider(): EmbeddingProvider {
  return {
    name: 'lexical',
    space: LEXICAL_SPACE,
    isCostly: false,
    tellsPurposes: true,
    batchSize: 256,
    maxCharacters: 8_000,
    keySetting: 'EMBEDDING_PROVIDER',
    charged: null,
    async embed(texts) {
      const vectors: Float32Array[] = [];
      let characters = 0;
      for (const text of texts) {
        vectors.push(embedLexically(text));
        characters += text.length;
        if (characters < CHARACTERS_PER_BREATH) continue;
        characters = 0;
        await breathe();
      }
      return vectors;
    },
  };
}
