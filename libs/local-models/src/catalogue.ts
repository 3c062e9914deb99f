import { z } from 'zod';

/** Facts about an encoder that its use needs; in a model's folder as `kith-model.json`. */
export const ModelDescription = z.object({
  /** Length of its vectors. */
  dimensions: z.int().min(2).max(4_096),
  /** Way from the vectors of tokens to one of the text: their mean, or that of the first token. */
  pooling: z.enum(['mean', 'cls']),
  /** Longest text it was trained on, in tokens; the rest is cut off. */
  maxTokens: z.int().min(8).max(8_192),
  /** Words that some models want before a text, by what it is for. */
  prefixes: z
    .object({ query: z.string().max(200), document: z.string().max(200) })
    .default({ query: '', document: '' }),
});
export type ModelDescription = z.output<typeof ModelDescription>;

/** A sentence encoder that `kith models pull` can fetch. */
export interface CatalogueEntry {
  /** Repository on the hub. */
  repository: string;
  languages: string;
  licence: string;
  /** Size of the download, about. */
  megabytes: number;
  description: ModelDescription;
}

const NO_PREFIXES = { query: '', document: '' };
const BGE_PREFIXES = { query: 'Represent this sentence for searching relevant passages: ', document: '' };

/** The encoders that are known by name. Another one needs a `kith-model.json` in its folder. */
export const CATALOGUE: Readonly<Record<string, CatalogueEntry>> = {
  'all-MiniLM-L6-v2': {
    repository: 'Xenova/all-MiniLM-L6-v2',
    languages: 'English',
    licence: 'Apache-2.0',
    megabytes: 24,
    description: { dimensions: 384, pooling: 'mean', maxTokens: 256, prefixes: NO_PREFIXES },
  },
  'bge-small-en-v1.5': {
    repository: 'Xenova/bge-small-en-v1.5',
    languages: 'English',
    licence: 'MIT',
    megabytes: 35,
    description: { dimensions: 384, pooling: 'cls', maxTokens: 512, prefixes: BGE_PREFIXES },
  },
  'multilingual-e5-small': {
    repository: 'Xenova/multilingual-e5-small',
    languages: 'some 100 languages',
    licence: 'MIT',
    megabytes: 136,
    description: {
      dimensions: 384,
      pooling: 'mean',
      maxTokens: 512,
      prefixes: { query: 'query: ', document: 'passage: ' },
    },
  },
  'paraphrase-multilingual-MiniLM-L12-v2': {
    repository: 'Xenova/paraphrase-multilingual-MiniLM-L12-v2',
    languages: 'some 50 languages',
    licence: 'Apache-2.0',
    megabytes: 136,
    description: { dimensions: 384, pooling: 'mean', maxTokens: 128, prefixes: NO_PREFIXES },
  },
};
