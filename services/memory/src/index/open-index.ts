import { lazy } from '@kith/contracts';
import type { Database } from '@kith/database';
import { ExactIndex } from './exact/exact-index.js';
import type { VectorIndex } from './vector-index.js';

const qdrant = lazy('the client of Qdrant', () => import('./qdrant/qdrant-index.js'));

/** Settings that name an index. */
interface IndexSettings {
  kind?: 'qdrant' | 'exact' | undefined;
  qdrantUrl?: string | undefined;
  qdrantApiKey?: string | undefined;
}

/** Opens the index that the settings name. Throws when they name Qdrant and not where it is. */
export async function openIndex(
  { kind, qdrantUrl, qdrantApiKey }: IndexSettings,
  database: Database,
): Promise<VectorIndex> {
  if (kind === 'exact' || (kind === undefined && qdrantUrl === undefined)) return new ExactIndex(database);
  if (qdrantUrl === undefined)
    throw new Error('VECTOR_INDEX is qdrant: set QDRANT_URL too, or set VECTOR_INDEX to exact');
  const { QdrantIndex } = await qdrant();
  return new QdrantIndex({ url: qdrantUrl, apiKey: qdrantApiKey });
}
