import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { basename } from 'node:path';

/** Below the ports of outgoing connections, so that none of these takes one before its server starts. */
const PORTS = { from: 20_000, to: 32_000 };
/** Ports that are tried in a row: of 12,000, so many are never all taken. */
const MAX_TRIES = 1_000;
/** Distance between the first tries of two processes, so that few are lost on what others hold. */
const APART = 97;
let next = (process.pid * APART) % (PORTS.to - PORTS.from);

/** A port that nothing listens on now, and that no other caller is given while this process lives. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = PORTS.from + next;
    next = (next + 1) % (PORTS.to - PORTS.from);
    const claim = await claimPort(port);
    if (claim === null) continue;
    if (!(await isPortTaken(port))) return port;
    claim.release();
  }
  throw new Error(`no free port between ${PORTS.from} and ${PORTS.to}`);
}

/** Time in which a process that is ending lets go of its port. */
const LET_GO_MS = 2_000;
/** Pause between two looks: a start is hardly later for it. */
const POLL_MS = 100;

/**
 * Resolves once nothing holds the port; a process that is ending is waited for.
 * @param what that is to listen there
 * @param variable that sets the port
 * @throws Error of one line that names the process which holds it
 */
export async function untilPortIsFree(port: number, what: string, variable: string): Promise<void> {
  const deadline = performance.now() + LET_GO_MS;
  while (await isPortTaken(port)) {
    if (performance.now() < deadline) {
      await sleep(POLL_MS);
      continue;
    }
    const holder = await portHolder(port);
    const by = holder === null ? '' : ` by ${holder}`;
    throw new Error(
      `port ${port}, meant for ${what}, is taken${by}: stop what listens there, or set ${variable} in .env to another`,
    );
  }
}

/** Addresses that `localhost` may lead to. What listens at either would get what is meant for the suite, with its key. */
const LOCALHOST = ['127.0.0.1', '::1'];
/** Errors of an address that the machine does not have. */
const NO_ADDRESS = ['EADDRNOTAVAIL', 'EAFNOSUPPORT'];

/** Tells whether something holds the port. */
export async function isPortTaken(port: number): Promise<boolean> {
  return (await Promise.all(LOCALHOST.map((host) => isTakenAt(host, port)))).includes(true);
}

function isTakenAt(host: string, port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(true);
      else if (NO_ADDRESS.includes(error.code ?? '')) resolve(false);
      else reject(error);
    });
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}

/**
 * Takes a port's number for this process: the UDP port beside the TCP port that is meant, which the system gives to one
 * process and takes back when that ends. Null: another has it.
 */
function claimPort(port: number): Promise<{ release: () => void } | null> {
  return new Promise((resolve, reject) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      if (error.code === 'EADDRINUSE') resolve(null);
      else reject(error);
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => {
      socket.unref();
      resolve({ release: () => socket.close() });
    });
  });
}

/** Columns of a line of `/proc/net/tcp`: address and port in hexadecimal, and the socket's number. */
const LOCAL = 1;
const INODE = 9;

/**
 * Names the process that holds a TCP port of this machine, such as `node (process 812)`. Null where the system does not
 * say: it is no Linux, or the process is another user's.
 */
async function portHolder(port: number): Promise<string | null> {
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
