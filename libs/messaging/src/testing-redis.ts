import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';

/** A redis-server of a test's own, with its data on disk so that it survives its own restart. */
export class TestRedis {
  private child: ChildProcess | undefined;

  private constructor(
    readonly port: number,
    private readonly directory: string,
    private readonly maxFileKb: number | null,
  ) {}

  /** Starts one on a disk of its own, which with `maxFileKb` takes no more of its file than that. */
  static async start({ maxFileKb = null }: { maxFileKb?: number | null } = {}): Promise<TestRedis> {
    const directory = await mkdtemp(join(tmpdir(), 'kith-redis-'));
    const redis = new TestRedis(await freePort(), directory, maxFileKb);
    await redis.start();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts it, on the data and the port it had before. */
  async start(): Promise<void> {
    const options = [
      '--port',
      String(this.port),
      '--dir',
      this.directory,
      '--save',
      '',
      '--bind',
      '127.0.0.1',
    ];
    // One that is to write at once ends where it can't.
    const fsync = this.maxFileKb === null ? 'always' : 'everysec';
    const durable = ['--appendonly', 'yes', '--appendfsync', fsync, '--maxmemory-policy', 'noeviction'];
    const limit = this.maxFileKb === null ? '' : `trap '' XFSZ; ulimit -f ${this.maxFileKb}; `;
    const command = ['-c', `${limit}exec redis-server "$@"`, 'redis-server', ...options, ...durable];
    this.child = spawn('bash', command, { stdio: 'ignore' });
    const probe = this.client();
    try {
      await probe.ping();
    } finally {
      probe.disconnect();
    }
  }

  /** Kills it without warning. */
  async kill(): Promise<void> {
    const { child } = this;
    if (!child) return;
    this.child = undefined;
    const gone = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGKILL');
    await gone;
  }

  /** Comes back without anything it held. */
  async restartEmpty(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
    await mkdir(this.directory);
    await this.start();
  }

  /** A connection for the test to look with; the test disconnects it. */
  client(): Redis {
    const client = new Redis(this.port, '127.0.0.1', {
      maxRetriesPerRequest: null,
      disconnectTimeout: 200,
      retryStrategy: () => 20,
    });
    client.on('error', () => undefined);
    return client;
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** A way to Redis on which connections can go silent without being closed, as when a cable is pulled. */
export class SilentProxy {
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  private constructor(redis: TestRedis) {
    this.server = createServer((client) => {
      const upstream = connect(redis.port, '127.0.0.1');
      for (const [one, other] of [
        [client, upstream],
        [upstream, client],
      ] as const) {
        this.sockets.add(one);
        one.on('error', () => undefined);
        one.on('close', () => other.destroy());
        one.pipe(other);
      }
    });
  }

  static async start(redis: TestRedis): Promise<SilentProxy> {
    const proxy = new SilentProxy(redis);
    await new Promise<void>((resolve) => proxy.server.listen(0, '127.0.0.1', resolve));
    return proxy;
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Nothing goes through the connections there are any more; new ones work. */
  silence(): void {
    for (const socket of this.sockets) socket.unpipe().pause();
  }

  stop(): void {
    for (const socket of this.sockets) socket.destroy();
    this.server.close();
  }
}

/** One at random below those that systems lend to outgoing connections: nothing takes it between two starts. */
async function freePort(): Promise<number> {
  const port = randomInt(12_000, 20_000);
  const server = createServer();
  const listens = await new Promise<boolean>((resolve) => {
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => resolve(true));
  });
  if (!listens) return freePort();
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Waits until the check holds; it is asked again every 10 ms. */
export async function eventually(
  check: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 15_000,
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await check())) {
    if (performance.now() > deadline) throw new Error(`did not come about within ${withinMs} ms: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Something to wait for that the test opens by hand. */
export function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
