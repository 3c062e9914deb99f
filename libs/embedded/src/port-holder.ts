import { readFile, readdir, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/** Columns of a line of `/proc/net/tcp`: address and port in hexadecimal, and the socket's number. */
const LOCAL = 1;
const INODE = 9;

/**
 * Names the process that holds a TCP port of this machine, such as `node (process 812)`. Null where the system does not
 * say: it is no Linux, or the process is another user's.
 */
export async function portHolder(port: number): Promise<string | null> {
  const tables = await Promise.all(['tcp', 'tcp6'].map((table) => textOf(`/proc/net/${table}`)));
  const lines = tables
    .flatMap((table) => table.split('\n').slice(1))
    .map((line) => line.trim().split(/\s+/u));
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const held = lines.filter((columns) => columns[LOCAL]?.endsWith(suffix));
  const sockets = new Set(held.map((columns) => `socket:[${columns[INODE]}]`));
  if (sockets.size === 0) return null;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/u.test(name))) {
    const files = await readdir(`/proc/${pid}/fd`).catch(() => []);
    const targets = await Promise.all(
      files.map((file) => readlink(`/proc/${pid}/fd/${file}`).catch(() => '')),
    );
    if (targets.some((target) => sockets.has(target)))
      return `${basename((await textOf(`/proc/${pid}/cmdline`)).replace(/\0[^]*/u, ''))} (process ${pid})`;
  }
  return null;
}

/** Text of a file of the system's; empty where there is none, or none for us. */
function textOf(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}
