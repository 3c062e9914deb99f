import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { isPortTaken } from './free-port.js';
import { startPostgres, type RunningPostgres } from './postgres.js';
import { PRIVATE_DIRECTORY, makePrivate } from './private-files.js';
import { endOrphans, recordProcess } from './process-records.js';
import type { Ports } from './read-ports.js';
import { redisUser } from './redis-users.js';
import { startRedis, type RunningRedis } from './redis.js';
import { RunningService } from './running-service.js';
import { ServiceProcess } from './service-process.js';
import { SERVICES, type Placement, type ServiceName } from './services.js';

export interface StackOptions {
  /** The checkout, with its services built. */
  root: string;
  /** Folder for data, logs and sockets. */
  directory: string;
  ports: Ports;
  /** Placement: a process for each service, or one for all. */
  placement: Placement;
  secrets: { ownerPassword: string; appPassword: string; redisPassword: string; apiKey: string };
  /** Settings for the services, over what the stack itself sets. Each service gets those that it reads. */
  environment: Record<string, string>;
  /** Variables for every service's process that are no settings, such as Node's own. */
  processEnvironment?: Record<string, string>;
  /** False trades the stores' safety for speed: for tests alone. */
  durable: boolean;
  onProgress?: (line: string) => void;
  /** Aborted: the start is given up, and what it has started ends. */
  signal?: AbortSignal;
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

/** The whole suite on one machine without Docker: real stores and the six services, in one process or in six. */
export class Stack {
  private constructor(
    readonly options: StackOptions,
    readonly postgres: RunningPostgres,
    readonly redis: RunningRedis,
    readonly services: ReadonlyMap<ServiceName, RunningService>,
    readonly databaseUrl: string,
  ) {}

  get url(): string {
    return `http://127.0.0.1:${this.options.ports.gateway}`;
  }

  /**
   * Starts stores, migrates, starts every service; resolves when all of them are ready.
   * @throws Error that says why in one line; no process is left then
   */
  static async start(options: StackOptions): Promise<Stack> {
    const { root, directory, ports, secrets, signal } = options;
    const say = options.onProgress ?? (() => undefined);
    const left = await endOrphans(directory);
    if (left.length > 0) say(`ended what an earlier start left behind: ${left.join(', ')}`);
    for (const { name, portVariable } of SERVICES) {
      if (await isPortTaken(ports[name])) {
        throw new Error(
          `port ${ports[name]}, meant for ${name}, is taken: set ${portVariable} in .env to another`,
        );
      }
    }
    await makeSuiteDirectory(directory);
    const readingVariables = serviceVariables(root);
    readingVariables.catch(() => undefined); // awaited below, unless the stores fail first
    const passwords = redisPasswords();
    const keyPrefix = options.environment['REDIS_KEY_PREFIX'];
    const users = SERVICES.map(({ name }) => redisUser(name, `#${sha256(passwords[name])}`, keyPrefix));
    const services = place(options);
    const processes = processesOf(services);
    // They load what they run while the stores start.
    for (const process of processes) process.start();
    let stores: [RunningPostgres, RunningRedis] | undefined;
    try {
      stores = await startStores(options, users);
      const [postgres, redis] = stores;
      signal?.throwIfAborted();
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
          ...(signal ? { signal } : {}),
        },
      );
      say('the database is up to date');
      const urls = { database: postgres.overSocket(app.href), redis: redis.url };
      const environments = environmentsOf(options, await readingVariables, urls, passwords);
      for (const process of processes) {
        const its = [...services.values()].filter((service) => service.process === process);
        process.order(Object.fromEntries(its.map(({ name }) => [name, environments[name]])));
      }
      const stack = new Stack(options, postgres, redis, services, app.href);
      await stack.untilReady();
      return stack;
    } catch (error) {
      await Promise.allSettled(processes.map((process) => process.stop()));
      await Promise.allSettled((stores ?? []).map((store) => store.stop()));
      throw signal?.aborted ? new Error('the start was called off', { cause: error }) : error;
    }
  }

  /** Waits until every service, or the named ones, are ready; says which is not and why otherwise. */
  async untilReady(names: readonly ServiceName[] = SERVICES.map(({ name }) => name)): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    const waiting = new Set(names);
    while (waiting.size > 0) {
      this.options.signal?.throwIfAborted();
      const probe = async (name: ServiceName) => [name, await this.service(name).health()] as const;
      for (const [name, health] of await Promise.all([...waiting].map(probe))) {
        const { refusal } = this.service(name);
        if (refusal !== null) throw new Error(`${name} can't start: ${refusal}: mend it in .env`);
        if (health?.ready) {
          waiting.delete(name);
          this.options.onProgress?.(`${name} is ready`);
        } else if (health && MAY_LACK_ITS_PEER.has(name) && onlyLacks(health.problems, 'discord')) {
          waiting.delete(name);
          this.options.onProgress?.(`${name} is up, but ${health.problems.join(', ')}`);
        } else if (performance.now() > deadline) {
          const why = health ? health.problems.join(', ') : 'nothing answers';
          const log = join(this.options.directory, 'logs', `${this.service(name).process.name}.log`);
          throw new Error(`${name} did not get ready (${why}): see ${log}`);
        }
      }
      if (waiting.size > 0) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }

  /** The processes of the services: six, or one. */
  get processes(): ServiceProcess[] {
    return processesOf(this.services);
  }

  service(name: ServiceName): RunningService {
    return this.services.get(name)!;
  }

  /**
   * Puts a backup in the place of everything there is. The services are stopped for one that is whole, and started
   * anew whatever comes of it.
   * @throws Error when it is no backup that fits: then all is as it was
   */
  async restore(backup: string): Promise<void> {
    await runArchive(this.options.root, 'check', backup);
    const { processes } = this;
    await Promise.all(processes.map((process) => process.stop()));
    try {
      await restoreInto(this.options.root, this, backup);
    } finally {
      for (const process of processes) process.start();
    }
    await this.untilReady();
  }

  /** Stops the services, then the stores. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
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

/** Starts both stores, or none: what has started ends when the other one fails. */
export async function startStores(
  options: Pick<StackOptions, 'directory' | 'ports' | 'secrets' | 'durable' | 'onProgress'>,
  redisUsers: readonly string[] = [],
): Promise<[RunningPostgres, RunningRedis]> {
  const { directory, ports, secrets, durable, onProgress } = options;
  const [postgres, redis] = await Promise.allSettled([
    startPostgres({
      directory: join(directory, 'postgres'),
      port: ports.postgres,
      password: secrets.ownerPassword,
      durable,
    }),
    startRedis({
      directory: join(directory, 'redis'),
      port: ports.redis,
      password: secrets.redisPassword,
      users: redisUsers,
      onSpawn: (child) => recordProcess(directory, 'redis', child),
      onMended: () => onProgress?.('Redis: its file was damaged, and is cut off at the damage'),
    }),
  ]);
  if (postgres.status === 'fulfilled' && redis.status === 'fulfilled') return [postgres.value, redis.value];
  if (postgres.status === 'fulfilled') await postgres.value.stop();
  if (redis.status === 'fulfilled') await redis.value.stop();
  throw postgres.status === 'rejected' ? postgres.reason : (redis as PromiseRejectedResult).reason;
}

/** Node's own variables that an operator may need, such as for a proxy: handed on to every service. */
const NODE_VARIABLES = [
  'PATH',
  'HOME',
  'TZ',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

/** Those of these variables that are set, with their values. */
function pick(names: readonly string[], from: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/** Lists the variables each service reads. Runs in a process of its own, which takes a second and 100 MB. */
async function serviceVariables(root: string): Promise<Record<ServiceName, string[]>> {
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tools/service-settings.mjs')]);
  return JSON.parse(stdout) as Record<ServiceName, string[]>;
}

/** PostgreSQL may run as a user of its own, who must be able to pass; what is inside is each store's own affair. */
async function makeSuiteDirectory(directory: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? PRIVATE_DIRECTORY | 0o011 : PRIVATE_DIRECTORY;
  await mkdir(directory, { recursive: true, mode });
  await chmod(directory, mode);
  await makePrivate(join(directory, 'logs'));
}

/** Known to the services alone, for as long as the suite runs: operators have Redis' own password. */
function redisPasswords(): Record<ServiceName, string> {
  const entries = SERVICES.map(({ name }) => [name, randomBytes(24).toString('base64url')]);
  return Object.fromEntries(entries) as Record<ServiceName, string>;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function asUser(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}

function processesOf(services: ReadonlyMap<ServiceName, RunningService>): ServiceProcess[] {
  return [...new Set([...services.values()].map(({ process }) => process))];
}

/**
 * Far above what a service holds; vectors lie outside of the heap. A semi-space of 2 MB costs a service no CPU that can be
 * measured (21.2 ms a turn, 21.3 with 8) and saves 12 MB in each process; six services fill theirs six times as fast.
 */
const HEAP = {
  apart: { maxMegabytes: 256, semiSpaceMegabytes: 2 },
  together: { maxMegabytes: 512, semiSpaceMegabytes: 8 },
};
/** Name of the process of all services, in records and for its log. */
const ALL_SERVICES = 'kith';

/** Makes the services' processes, which are not started yet. */
function place(options: StackOptions): Map<ServiceName, RunningService> {
  const { root, directory, ports, placement } = options;
  const processOf = (name: string, services: readonly ServiceName[]) =>
    new ServiceProcess(name, {
      entry: join(root, 'libs/embedded/dist/run-placed.js'),
      args: [root, ...services],
      environment: {
        ...pick(NODE_VARIABLES, process.env),
        ...pick(NODE_VARIABLES, options.environment),
        NODE_ENV: 'production',
        ...options.processEnvironment,
      },
      heap: HEAP[placement],
      logFile: join(directory, 'logs', `${name}.log`),
      onSpawn: (child) => recordProcess(directory, name, child),
      onDeath: (who, how) => options.onProgress?.(`${who} ended (${how}) and is started again`),
    });
  const names = SERVICES.map(({ name }) => name);
  const ofAll = placement === 'together' ? processOf(ALL_SERVICES, names) : null;
  return new Map(
    names.map((name) => {
      const url = `http://127.0.0.1:${ports[name]}`;
      return [name, new RunningService(name, url, ofAll ?? processOf(name, [name]))];
    }),
  );
}

/** Environment of each service: the settings it declares, and no others. */
function environmentsOf(
  { environment, ports, secrets }: StackOptions,
  variables: Record<ServiceName, string[]>,
  urls: { database: string; redis: string },
  passwords: Record<ServiceName, string>,
): Record<ServiceName, Record<string, string>> {
  const settings = {
    DATABASE_URL: urls.database,
    REDIS_URL: urls.redis,
    KITH_KEY: secrets.apiKey,
    ...Object.fromEntries(SERVICES.map(({ name, portVariable }) => [portVariable, String(ports[name])])),
    ...environment,
  };
  const environmentOf = (name: ServiceName) =>
    pick(variables[name], { ...settings, REDIS_URL: asUser(settings.REDIS_URL, name, passwords[name]) });
  return Object.fromEntries(SERVICES.map(({ name }) => [name, environmentOf(name)])) as Record<
    ServiceName,
    Record<string, string>
  >;
}
