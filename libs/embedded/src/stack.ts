import { hash } from 'node:crypto';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { present } from '@kith/contracts';
import { programsOf } from './bundled-programs.js';
import { tellRefusals } from './services/fatal-reason.js';
import { untilPortIsFree } from './processes/free-port.js';
import {
  environmentsOf,
  placeServices,
  processesOf,
  redisPasswords,
  serviceVariables,
} from './services/place-services.js';
import { migrate } from './stores/migrate.js';
import type { RunningPostgres } from './stores/start-postgres.js';
import { PRIVATE_DIRECTORY, makePrivate } from './files/private-files.js';
import { endOrphans } from './processes/process-records.js';
import { redisUser } from './settings/redis-users.js';
import type { RunningRedis } from './stores/start-redis.js';
import { restoreBackup } from './stores/restore-backup.js';
import type { RunningService } from './services/running-service.js';
import type { ServiceProcess } from './services/service-process.js';
import { SERVICES, type ServiceName } from './settings/services.js';
import type { StackOptions } from './settings/stack-options.js';
import { startStores } from './stores/start-stores.js';

/** A first start on a slow machine takes half of it. */
const READY_TIMEOUT_MS = 60_000;
/** Short beside the second that a service takes to start. */
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
   * @throws Error that says why in one line, or each wrong setting in a line; no process is left then
   */
  static async start(options: StackOptions): Promise<Stack> {
    const { root, directory, ports, secrets, signal } = options;
    const say = options.onProgress ?? (() => undefined);
    const left = await endOrphans(directory);
    if (left.length > 0) say(`ended what an earlier start left behind: ${left.join(', ')}`);
    await Promise.all(
      SERVICES.map(({ name, portVariable }) => untilPortIsFree(ports[name], name, portVariable)),
    );
    await makeSuiteDirectory(directory);
    const programs = await programsOf(root);
    const readingVariables = serviceVariables(root, programs);
    readingVariables.catch(() => undefined); // awaited below, unless the stores fail first
    const passwords = redisPasswords();
    const keyPrefix = options.environment['REDIS_KEY_PREFIX'];
    const users = SERVICES.map(({ name }) =>
      redisUser(name, `#${hash('sha256', passwords[name])}`, keyPrefix),
    );
    const services = placeServices(options, programs);
    const processes = processesOf(services);
    // They load what they run while the stores start.
    for (const process of processes) process.start();
    let stores: [RunningPostgres, RunningRedis] | undefined;
    try {
      stores = await startStores(options, users);
      const [postgres, redis] = stores;
      signal?.throwIfAborted();
      say('PostgreSQL and Redis are up');
      const appUrl = await migrate({ root, postgres, appPassword: secrets.appPassword, say, signal });
      say('the database is up to date');
      const urls = { database: postgres.overSocket(appUrl), redis: redis.socketUrl };
      const environments = environmentsOf(options, await readingVariables, urls, passwords);
      for (const process of processes) {
        const its = [...services.values()].filter((service) => service.process === process);
        process.order(Object.fromEntries(its.map(({ name }) => [name, environments[name]])));
      }
      const stack = new Stack(options, postgres, redis, services, appUrl);
      await stack.untilReady();
      for (const process of processes) process.keepUp();
      return stack;
    } catch (error) {
      await Promise.allSettled(processes.map((process) => process.stop()));
      await Promise.allSettled((stores ?? []).map((store) => store.stop()));
      throw signal?.aborted ? new Error('the start was called off', { cause: error }) : error;
    }
  }

  /**
   * Puts a backup in the place of what a stopped suite holds, and makes the suite's data where there is none: no service
   * starts before it is there.
   * @throws Error when it is no backup that fits: then all is as it was
   */
  static async restoreStopped(
    options: Pick<StackOptions, 'root' | 'directory' | 'ports' | 'secrets' | 'durable'>,
    backup: string,
  ): Promise<void> {
    const { root, directory, secrets } = options;
    await endOrphans(directory);
    await makeSuiteDirectory(directory);
    const [postgres, redis] = await startStores(options);
    try {
      await migrate({ root, postgres, appPassword: secrets.appPassword });
      await restoreBackup(root, { postgres, redis }, backup);
    } finally {
      await Promise.allSettled([redis.stop(), postgres.stop()]);
    }
  }

  /**
   * Waits until every service, or the named ones, are ready.
   * @throws Error that says which is not, and why; or all settings that are wrong
   */
  async untilReady(names: readonly ServiceName[] = SERVICES.map(({ name }) => name)): Promise<void> {
    const deadline = performance.now() + READY_TIMEOUT_MS;
    const waiting = new Set(names);
    while (waiting.size > 0) {
      this.options.signal?.throwIfAborted();
      const probe = async (name: ServiceName) => [name, await this.service(name).health()] as const;
      const probed = await Promise.all([...waiting].map(probe));
      const refusals = this.processes.flatMap((process) => process.refusals);
      if (refusals.length > 0) {
        // One that answers has found its settings right. The others are heard out, however slow the machine is.
        const mayRefuse = probed.some(
          ([name, health]) => !health && !this.service(name).process.refusals.length,
        );
        if (!mayRefuse || performance.now() > deadline) throw new Error(tellRefusals(refusals));
      }
      for (const [name, health] of probed) {
        if (health?.ready) {
          waiting.delete(name);
          this.options.onProgress?.(`${name} is ready`);
        } else if (health && MAY_LACK_ITS_PEER.has(name) && onlyLacks(health.problems, 'discord')) {
          waiting.delete(name);
          this.options.onProgress?.(`${name} is up, but ${health.problems.join(', ')}`);
        } else if (performance.now() > deadline) {
          const why = health
            ? health.problems.join(', ')
            : `nothing of this suite answers on port ${this.options.ports[name]}`;
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
    return present(this.services.get(name));
  }

  /** Stops the services, then the stores. */
  async stop(): Promise<void> {
    await Promise.all(this.processes.map((process) => process.stop()));
    await Promise.allSettled([this.redis.stop(), this.postgres.stop()]);
  }
}

/** PostgreSQL may run as a user of its own, who must be able to pass; what is inside is each store's own affair. */
async function makeSuiteDirectory(directory: string): Promise<void> {
  const mode = process.getuid?.() === 0 ? PRIVATE_DIRECTORY | 0o011 : PRIVATE_DIRECTORY;
  await mkdir(directory, { recursive: true, mode });
  await chmod(directory, mode);
  await makePrivate(join(directory, 'logs'));
}
