import { OLDEST_QDRANT, isQdrantTooOld } from '@kith/contracts';
import type { QdrantClient } from '@qdrant/js-client-rest';
import { reaching } from './qdrant-errors.js';

/** Tells that the server is too old for what is asked of it. */
export class ServerTooOld extends Error {}

/**
 * Checks the version of the server behind a client.
 * @throws ServerTooOld that names the version
 * @throws AppError `unavailable` while it is out of reach
 */
export async function checkServerVersion(client: QdrantClient, url: string): Promise<void> {
  const { version } = await reaching(() => client.versionInfo());
  if (isQdrantTooOld(version))
    throw new ServerTooOld(
      `Qdrant at ${url} is ${version}, and too old: update it to ${OLDEST_QDRANT} or later, or set VECTOR_INDEX to exact`,
    );
}
