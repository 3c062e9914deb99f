import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/** Below those that systems lend to outgoing connections: what is free now is free when its server starts. */
const PORTS = { from: 20_000, to: 32_000 };
/** Of 12,000 ports that many in a row are never all taken. */
const MAX_TRIES = 1_000;
/** Each process begins elsewhere, so that few tries are lost on what others hold. */
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

/** Does something listen there? */
export function isPortTaken(port: number): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'EADDRINUSE' ? resolve(true) : reject(error),
    );
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
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
