/** Longest path of a socket, in bytes: on macOS, which takes the shortest. */
const MAX_SOCKET_PATH = 103;

/** Tells whether a socket may have this path: longer ones are cut, or refused. */
export function isSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}
