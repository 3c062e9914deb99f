import { lazy } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Config } from '../config.js';
import { ExactIndex } from './exact-index.js';
import type { VectorIndex } from './vector-index.js';

const qdrant = lazy('the client of Qdrant', () => import('./qdrant-index.js'));

/** The index the settings name. Throws when they name Qdrant and not where it is. */
export async function openIndex(
  { kind, qdrantUrl, qdrantApiKey }: Config['index'],
  database: Database,
): Promise<VectorIndex> {
  if (kind === 'exact' || (kind === undefined && qdrantUrl === undefined)) return new ExactIndex(database);
  if (qdrantUrl === undefined)
    throw new Error('VECTOR_INDEX is qdrant: set QDRANT_URL too, or set VECTOR_INDEX to exact');
  const { QdrantIndex } = await qdrant();
  return new QdrantIndex({ url: qdrantUrl, apiKey: qdrantApiKey });
}
