import type { QdrantClient } from '@qdrant/js-client-rest';
import { reaching } from './qdrant-errors.js';

/** Oldest server with all that is asked of it: keyword indexes by tenant came last (`is_tenant`). */
const OLDEST_SERVER = '1.11.0';

/** Tells a server that can't do what is asked of it. */
export class ServerTooOld extends Error {}

/** Says if a server of this version is too old. One that gives no number is taken as it is: a build of somebody's own. */
export function isTooOld(version: string): boolean {
  const [major, minor] = numbersOf(version);
  const [oldestMajor, oldestMinor] = numbersOf(OLDEST_SERVER);
  if (major === undefined || minor === undefined) return false;
  return major < oldestMajor! || (major === oldestMajor && minor < oldestMinor!);
}

/**
 * Checks the version of the server behind a client.
 * @throws ServerTooOld that names the version
 * @throws AppError `unavailable` while it is out of reach
 */
export async function checkServerVersion(client: QdrantClient, url: string): Promise<void> {
  const { version } = await reaching(() => client.versionInfo());
  if (isTooOld(version))
    throw new ServerTooOld(
      `Qdrant at ${url} is ${version}, and too old: update it to ${OLDEST_SERVER} or later, or set VECTOR_INDEX to exact`,
    );
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /^v?(\d{1,6})\.(\d{1,6})/.exec(version) ?? [];
  return numbers.map(Number);
}
