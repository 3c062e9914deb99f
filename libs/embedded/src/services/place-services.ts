import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { recordProcess } from '../processes/process-records.js';
import { RunningService } from './running-service.js';
import { ServiceProcess } from './service-process.js';
import { SERVICES, type ServiceName } from '../settings/services.js';
import type { StackOptions } from '../settings/stack-options.js';

/** Node's own variables that an operator may need, such as for a proxy: handed on to every service. */
const NODE_VARIABLES = [
  'PATH',
  'HOME',
  'NODE_EXTRA_CA_CERTS',
  'NODE_USE_ENV_PROXY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
];

/** Picks the variables that are set, with their values. */
function pick(names: readonly string[], from: NodeJS.ProcessEnv): Record<string, string> {
  return Object.fromEntries(names.flatMap((name) => (from[name] === undefined ? [] : [[name, from[name]]])));
}

/**
 * Lists the variables each service reads: as the bundle has noted them, or else by a process of its own, since their
 * declarations take a third of a second and 100 MB to load.
 * @param programs folder with what the services run
 */
export async function serviceVariables(
  root: string,
  programs: string,
): Promise<Record<ServiceName, string[]>> {
  const noted = await readFile(join(programs, 'service-variables.json'), 'utf8').catch(() => null);
  if (noted !== null) return JSON.parse(noted) as Record<ServiceName, string[]>;
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'tools/service-settings.mjs')]);
  return JSON.parse(stdout) as Record<ServiceName, string[]>;
}

/** Passwords that only the services know, for as long as the suite runs: operators have Redis' own. */
export function redisPasswords(): Record<ServiceName, string> {
  const entries = SERVICES.map(({ name }) => [name, randomBytes(24).toString('base64url')]);
  return Object.fromEntries(entries) as Record<ServiceName, string>;
}

function asUser(address: string, user: string, password: string): string {
  const url = new URL(address);
  url.username = user;
  url.password = password;
  return url.href;
}

export function processesOf(services: ReadonlyMap<ServiceName, RunningService>): ServiceProcess[] {
  return [...new Set([...services.values()].map(({ process }) => process))];
}

/**
 * Far above what a service holds; vectors lie outside of the heap. A semi-space of 2 MB costs a service no CPU that can be
 * measured (21.2 ms a turn, 21.3 with 8) and saves 12 MB in each process. Six services in one process
 * fill it six times as fast: with 16 MB, what outlives a turn by little is gone before it is taken for old. 32 MB take 50 MB
 * more, and make no more turns a second.
 */
const HEAP = {
  apart: { maxMegabytes: 256, semiSpaceMegabytes: 2 },
  together: { maxMegabytes: 512, semiSpaceMegabytes: 16 },
};
/** Name of the process of all services, in records and for its log. */
const ALL_SERVICES = 'kith';

/**
 * Makes the services' processes, which are not started yet.
 * @param programs folder with what they run, laid out as the checkout
 */
export function placeServices(options: StackOptions, programs: string): Map<ServiceName, RunningService> {
  const { root, directory, ports, placement } = options;
  const processOf = (name: string, services: readonly ServiceName[]) =>
    new ServiceProcess(name, {
      preload: join(root, 'libs/service-host/dist/own-source-maps.js'),
      entry: join(programs, 'libs/embedded/dist/run-placed.js'),
      args: [programs, ...services],
      environment: {
        ...pick(NODE_VARIABLES, process.env),
        ...pick(NODE_VARIABLES, options.environment),
        NODE_ENV: 'production',
        // A third of the CPU of a start is compiling. A bundle that is made anew leaves what was kept of the last one.
        ...(programs !== root && { NODE_COMPILE_CACHE: join(programs, 'compiled') }),
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
export function environmentsOf(
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
