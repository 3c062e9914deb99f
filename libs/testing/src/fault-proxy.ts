import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '@kith/embedded';

/**
 * Behaviour of a network. `refuse` is a port where nothing listens; a `black-hole` takes connections and
 * what is sent over them, and nothing ever comes back.
 */
export type NetworkState = 'open' | 'refuse' | 'black-hole';

/** A TCP proxy that a test puts in front of a store, to break the network between the store and its users. */
export class FaultProxy {
  private readonly pairs = new Set<{ near: Socket; far: Socket }>();
  private state: NetworkState = 'open';
  private delayMs = 0;
  /** Bytes that the store has answered. */
  answered = 0;
  readonly port: number;

  private constructor(
    private server: Server,
    private readonly target: { host: string; port: number },
  ) {
    this.port = (server.address() as AddressInfo).port;
    server.on('connection', (near) => this.join(near));
  }

  /**
   * Listens on a free port of 127.0.0.1; the target need not be there yet. The port is claimed, so that nothing takes it
   * while the proxy refuses, and the proxy takes none that a store is about to listen on.
   */
  static async start(target: { host?: string; port: number }): Promise<FaultProxy> {
    const server = createServer({ allowHalfOpen: true }).listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    return new FaultProxy(server, { host: target.host ?? '127.0.0.1', port: target.port });
  }

  /** Changes the network from now on. Standing connections stay, except that `refuse` cuts them. */
  async set(state: NetworkState): Promise<void> {
    if (state === this.state) return;
    const before = this.state;
    this.state = state;
    if (state === 'refuse') {
      const closed = new Promise((resolve) => this.server.close(resolve));
      this.cut();
      await closed;
    } else if (before === 'refuse') {
      this.server = createServer({ allowHalfOpen: true }, (near) => this.join(near));
      await new Promise<void>((resolve) => this.server.listen(this.port, '127.0.0.1', resolve));
    }
    for (const { far } of this.pairs) {
      if (state === 'open') far.resume();
      else far.pause();
    }
  }

  /** Delays every answer by so long. */
  delay(ms: number): void {
    this.delayMs = ms;
  }

  /** Resets every standing connection. */
  cut(): void {
    for (const { near, far } of this.pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
    this.pairs.clear();
  }

  async stop(): Promise<void> {
    const closed = new Promise((resolve) => this.server.close(resolve));
    this.cut();
    await closed;
  }

  private join(near: Socket): void {
    const far = connect({ ...this.target, allowHalfOpen: true });
    near.setNoDelay(true);
    far.setNoDelay(true);
    const pair = { near, far };
    this.pairs.add(pair);
    const end = () => {
      near.destroy();
      far.destroy();
      this.pairs.delete(pair);
    };
    // In order, whatever the delay becomes meanwhile.
    let passed = Promise.resolve();
    const pass = (work: () => void) => {
      const delayed = this.delayMs > 0 ? sleep(this.delayMs) : undefined;
      passed = passed.then(() => delayed).then(work);
    };
    near.on('error', end).on('close', end);
    far.on('error', end).on('close', () => pass(() => near.destroySoon()));
    near.on('data', (bytes) => far.write(bytes)).on('end', () => far.end());
    far.on('data', (bytes) => {
      this.answered += bytes.length;
      pass(() => near.writable && near.write(bytes));
    });
    far.on('end', () => pass(() => near.end()));
    if (this.state === 'black-hole') far.pause();
  }
}
