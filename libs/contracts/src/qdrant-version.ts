/** Oldest Qdrant server with all that is used of it, of which keyword indexes by tenant came last (`is_tenant`). */
export const OLDEST_QDRANT = '1.11.0';
const [OLDEST_MAJOR = 0, OLDEST_MINOR = 0] = numbersOf(OLDEST_QDRANT);

/** Tells whether a server's version is too old. One without a number is taken: it is somebody's own build. */
export function isQdrantTooOld(version: string): boolean {
  const [major, minor] = numbersOf(version);
  if (major === undefined || minor === undefined) return false;
  return major < OLDEST_MAJOR || (major === OLDEST_MAJOR && minor < OLDEST_MINOR);
}

function numbersOf(version: string): number[] {
  const [, ...numbers] = /^v?(\d{1,6})\.(\d{1,6})/.exec(version) ?? [];
  return numbers.map(Number);
}
