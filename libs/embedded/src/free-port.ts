import { createServer } from 'node:net';

/** Below those that systems lend to outgoing connections: what is free now is free when its server starts. */
const PORTS = { from: 20_000, to: 32_000 };
const MAX_TRIES = 1_000;
/** Each process begins elsewhere and goes on from there, so that no two look at the same port at once. */
const APART = 97;
let next = (process.pid * APART) % (PORTS.to - PORTS.from);

/** A port that nothing listens on now; another one at each call. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const port = PORTS.from + next;
    next = (next + 1) % (PORTS.to - PORTS.from);
    if (!(await isPortTaken(port))) return port;
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
