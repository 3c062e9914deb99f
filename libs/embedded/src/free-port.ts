import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/** Below those that systems lend to outgoing connections: what is free now is free when its server starts. */
const PORTS = { from: 20_000, to: 32_000 };
const MOST_TRIES = 100;

/** A port that nothing listens on now. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const port = randomInt(PORTS.from, PORTS.to);
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
