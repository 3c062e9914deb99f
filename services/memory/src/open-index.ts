import { lazy } from '@kith/contracts';
import { SettingsError } from '@kith/service-host/settings';
import type { Database } from '@kith/database';
import type { Logger } from 'pino';
import type { Config } from './config.js';
import { ExactIndex } from './index/exact/exact-index.js';
import type { VectorIndex } from './index/vector-index.js';

const qdrant = lazy('the client of Qdrant', () => import('./index/qdrant/qdrant-index.js'));

/**
 * Opens the index that the settings name; without a kind, Qdrant's address says which it is. Throws when they name Qdrant
 * without its address, or a Qdrant that is too old. The version of one that is out of reach is checked before the first
 * write.
 */
export async function openIndex(
  { kind, qdrantUrl, qdrantApiKey, collectionPrefix }: Config['index'],
  database: Database,
  logger: Logger,
): Promise<VectorIndex> {
  if (kind === 'exact' || (kind === undefined && qdrantUrl === undefined))
    return new ExactIndex(database, logger);
  if (qdrantUrl === undefined)
    throw new SettingsError([
      {
        variable: 'QDRANT_URL',
        problem: 'is not set, and VECTOR_INDEX is qdrant: set it, or VECTOR_INDEX to exact',
      },
    ]);
  const { QdrantIndex, ServerTooOld } = await qdrant();
  const index = new QdrantIndex({ url: qdrantUrl, apiKey: qdrantApiKey, collectionPrefix });
  await index.checkVersion().catch((error: unknown) => {
    if (error instanceof ServerTooOld) throw error;
  });
  return index;
}
