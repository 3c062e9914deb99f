import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { isPortTaken } from './free-port.js';
import { startPostgres, type RunningPostgres } from './postgres.js';
import { startRedis, type RunningRedis } from './redis.js';
import { ServiceProcess } from './service-process.js';
import { SERVICES, type ServiceName } from './services.js';

export interface StackOptions {
  /** The checkout, with its services built. */
  root: string;
  /** Where data, logs and sockets go. */
  directory: string;
  ports: { postgres: number; redis: number } & Record<ServiceName, number>;
  secrets: { ownerPassword: string; appPassword: string; redisPassword: string; apiKey: string };
  /** Settings for the services, over what the stack itself sets. */
  environment: Record<string, string>;
  /** False trades the stores' safety for speed: for tests alone. */
  durable: boolean;
  onProgress?: (line: string) => void;
}

const DATABASE = 'kith';
const APP_ROLE = 'kith_app';
const READY_TIMEOUT_MS = 60_000;
const POLL_MS = 50;

/** A wrong token, or Discord out of reach, is no reason to keep everyone else waiting. */
const MAY_LACK_ITS_PEER: ReadonlySet<ServiceName> = new Set(['discord-bot']);

function onlyLacks(problems: readonly string[], dependency: string): boolean {
  return problems.every((problem) => problem.startsWith(`${dependency}:`));
}

/** The whole suite on one machine without Docker: real stores and the six service processes. */
export class Stack {
  private constructor(
    readonly options: StackOptions,
    readonly postgres: RunningPostgres,
    readonly redis: RunningRedis,
    readonly services: ReadonlyMap<ServiceName, ServiceProcess>,
    readonly databaseUrl: string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.ports.gateway}`;
  }

  /** Starts stores, migrates, starts every service; resolves when all of them are ready. */
  static async start(options: StackOptions): Promise<Stack> {
    const { root, directory, ports, secrets } = options;
    const say = options.onProgress ?? (() => undefined);
    for (const { name, portVariable } of SERVICES) {
      if (await isPortTaken(ports[name])) {
        throw new Error(
          `port ${ports[name]}, meant for ${name}, is taken: set ${portVariable} in .env to another`,
        );
      }
    }
    await mkdir(join(directory, 'logs'), { recursive: true });
    const [postgres, redis] = await startStores(options);
    try {
      say('PostgreSQL and Redis are up');
      const ownerUrl = postgres.ownerUrl(DATABASE);
      const app = new URL(ownerUrl);
      app.username = APP_ROLE;
      app.password = secrets.appPassword;
      await promisify(execFile)(
        process.execPath,
        [join(root, 'libs/database/dist/migrate-cli.js'), 'deploy'],
        {
          env: { ...process.env, DATABASE_OWNER_URL: ownerUrl, DATABASE_URL: app.href },
        },
      );
      say('the database is up to date');
      const services = processes(options, app.href, redis.url);
      const stack = new Stack(options, postgres, redis, services, app.href);
      for (const service of services.values()) service.start();
      await stack.untilReady();
      return stack;
    } catch (error) {
      await Promise.allSettled([redis.stop(), postgres.stop()]);
      throw error;
    }
  }

  /** Waits until every service, or the named ones, are ready; says which is not and why otherwise. */
  async untilReady(names: readonly ServiceName[] = SERVICES.map(({ name }) => name)): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    const waiting = new Set(names);
    while (waiting.size > 0) {
      for (const name of waiting) {
        const health = await this.services.get(name)!.health();
        if (health?.ready) {
          waiting.delete(name);
          this.options.onProgress?.(`${name} is ready`);
        } else if (health && MAY_LACK_ITS_PEER.has(name) && onlyLacks(health.problems, 'discord')) {
          waiting.delete(name);
          this.options.onProgress?.(`${name} is up, but ${health.problems.join(', ')}`);
        } else if (performance.now() > deadline) {
          await this.stop();
          const why = health ? health.problems.join(', ') : 'nothing answers';
          throw new Error(
            `${name} did not get ready (${why}): see ${join(this.options.directory, 'logs', `${name}.log`)}`,
          );
        }
      }
      if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  service(name: ServiceName): ServiceProcess {
    return this.services.get(name)!;
  }

  /**
   * Puts a backup in the place of everything there is. The services are stopped for one that is whole, and started
   * anew whatever comes of it.
   * @throws Error when it is no backup that fits: then all is as it was
   */
  async restore(backup: string): Promise<void> {
    await runArchive(this.options.root, 'check', backup);
    const services = [...this.services.values()];
    await Promise.all(services.map((service) => service.stop()));
    try {
      await restoreInto(this.options.root, this, backup);
    } finally {
      for (const service of services) service.start();
    }
    await this.untilReady();
  }

  /** Stops the services, then the stores. */
  async stop(): Promise<void> {
    await Promise.all([...this.services.values()].map((service) => service.stop()));
    await Promise.allSettled([this.redis.stop(), this.postgres.stop()]);
  }
}

/** Reads a backup into stores that no service uses, and empties Redis, which knows of other rows. */
export async function restoreInto(
  root: string,
  { postgres, redis }: { postgres: RunningPostgres; redis: RunningRedis },
  backup: string,
): Promise<void> {
  await runArchive(root, 'read', backup, { DATABASE_OWNER_URL: postgres.ownerUrl(DATABASE) });
  const connection = new Redis(redis.url);
  await connection.flushdb();
  connection.disconnect();
}

/** Has a backup checked or read. @throws Error with what is wrong with it */
async function runArchive(
  root: string,
  verb: 'check' | 'read',
  backup: string,
  environment: Record<string, string> = {},
): Promise<void> {
  const archive = spawn(process.execPath, [join(root, 'libs/database/dist/archive-cli.js'), verb], {
    env: { ...process.env, ...environment },
    stdio: ['pipe', 'inherit', 'pipe'],
  });
  const said = text(archive.stderr);
  // What it leaves unread when it refuses is no error of its own.
  const [[code]] = await Promise.all([
    once(archive, 'exit') as Promise<[number]>,
    pipeline(createReadStream(backup), archive.stdin).catch(() => undefined),
  ]);
  if (code !== 0) throw new Error((await said).trim());
}

export async function startStores(
  options: Pick<StackOptions, 'directory' | 'ports' | 'secrets' | 'durable'>,
): Promise<[RunningPostgres, RunningRedis]> {
  const { directory, ports, secrets, durable } = options;
  const [postgres, redis] = await Promise.allSettled([
    startPostgres({
      directory: join(directory, 'postgres'),
      port: ports.postgres,
      password: secrets.ownerPassword,
      durable,
    }),
    startRedis({ directory: join(directory, 'redis'), port: ports.redis, password: secrets.redisPassword }),
  ]);
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled') return [postgres.value, redis.value];
  if (postgres.status === 'fulfilled') await postgres.value.stop();
  if (redis.status === 'fulfilled') await redis.value.stop();
  throw postgres.status === 'rejected' ? postgres.reason : (redis as PromiseRejectedResult).reason;
}

function processes(
  options: StackOptions,
  databaseUrl: string,
  redisUrl: string,
): Map<ServiceName, ServiceProcess> {
  const { root, directory, ports, secrets } = options;
  const environment = {
    NODE_ENV: 'production',
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    DATABASE_URL: databaseUrl,
    REDIS_URL: redisUrl,
    KITH_KEY: secrets.apiKey,
    ...Object.fromEntries(SERVICES.map(({ name, portVariable }) => [portVariable, String(ports[name])])),
    ...options.environment,
  };
  return new Map(
    SERVICES.map(({ name }) => [
      name,
      new ServiceProcess(name, `http://127.0.0.1:${ports[name]}`, {
        entry: join(root, 'services', name, 'dist/main.js'),
        environment,
        logFile: join(directory, 'logs', `${name}.log`),
        onDeath: (who, how) => options.onProgress?.(`${who} ended (${how}) and is started again`),
      }),
    ]),
  );
}
