import { openSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ensureSecrets, readEnvFile } from './env-file.js';
import { SERVICES, type ServiceName } from './services.js';
import { Stack, restoreInto, startStores } from './stack.js';

// Usage: node libs/embedded/dist/main.js up | run | down | status | secrets | restore FILE
// `up` starts `run` in the background and waits until the suite is ready; `secrets` only makes .env, for Compose.
// Called by scripts/up and its kin.

const root = join(import.meta.dirname, '../../..');
const directory = join(root, '.kith');
const pidFile = join(directory, 'supervisor.pid');
const supervisorLog = join(directory, 'logs', 'supervisor.log');
const envFile = join(root, '.env');

const UP_TIMEOUT_MS = 90_000;
const DOWN_TIMEOUT_MS = 45_000;

// The package that brings PostgreSQL stops it at any signal, before the services have drained, and ends the process
// with code 0 whatever came of it. Here both are ours to do.
for (const event of ['beforeExit', 'exit', 'SIGHUP', 'SIGINT', 'SIGTERM']) process.removeAllListeners(event);

const commands: Record<string, () => Promise<number>> = { up, run, down, status, secrets, restore };
const command = commands[process.argv[2] ?? ''];
if (!command) {
  console.error('usage: up | run | down | status | secrets | restore FILE');
  process.exit(2);
}
process.exitCode = await command().catch((error: Error) => {
  console.error(error.message);
  return 1;
});

function portsOf(settings: Record<string, string>) {
  const port = (variable: string, fallback: number) => Number(settings[variable] ?? fallback);
  const services = SERVICES.map(({ name, portVariable, port: fallback }) => [
    name,
    port(portVariable, fallback),
  ]);
  return {
    postgres: port('KITH_POSTGRES_PORT', 5439),
    redis: port('KITH_REDIS_PORT', 6389),
    ...(Object.fromEntries(services) as Record<ServiceName, number>),
  };
}

/** The supervisor itself, in the foreground. */
async function run(): Promise<number> {
  const settings = await ensureSecrets(envFile, join(root, '.env.example'));
  await mkdir(directory, { recursive: true });
  await writeFile(pidFile, String(process.pid));
  try {
    const stack = await Stack.start({
      root,
      directory,
      ports: portsOf(settings),
      secrets: secretsOf(settings),
      // Without a Qdrant server of one's own, the exact index in Postgres does.
      environment: { VECTOR_INDEX: settings['QDRANT_URL'] ? 'qdrant' : 'exact', ...forServices(settings) },
      durable: true,
      onProgress: (line) => console.log(line),
    });
    console.log('the suite is ready');
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', resolve);
      process.once('SIGINT', resolve);
    });
    console.log('stopping');
    await stack.stop();
    return 0;
  } finally {
    await rm(pidFile, { force: true });
  }
}

/** The stores' addresses are the stack's own here: what .env says of them is for Compose. */
function forServices(settings: Record<string, string>): Record<string, string> {
  const {
    DATABASE_URL: _,
    DATABASE_OWNER_URL: __,
    REDIS_URL: ___,
    VECTOR_INDEX: ____,
    HTTP_HOST: _____,
    ...rest
  } = settings;
  return rest;
}

function secretsOf(settings: Record<string, string>) {
  return {
    ownerPassword: settings['POSTGRES_PASSWORD']!,
    appPassword: settings['KITH_APP_DB_PASSWORD']!,
    redisPassword: settings['REDIS_PASSWORD']!,
    apiKey: settings['KITH_KEY']!,
  };
}

/** Puts the database of a backup in the place of what a stopped suite holds. */
async function restore(): Promise<number> {
  const backup = process.argv[3];
  if (!backup) throw new Error('usage: restore FILE');
  if (await runningPid()) throw new Error('the suite is running: ./scripts/down');
  const settings = await readEnvFile(envFile);
  const [postgres, redis] = await startStores({
    directory,
    ports: portsOf(settings),
    secrets: secretsOf(settings),
    durable: true,
  });
  try {
    await restoreInto(root, { postgres, redis }, backup);
    return 0;
  } finally {
    await Promise.allSettled([redis.stop(), postgres.stop()]);
  }
}

async function secrets(): Promise<number> {
  await ensureSecrets(envFile, join(root, '.env.example'));
  return 0;
}

async function up(): Promise<number> {
  await mkdir(join(directory, 'logs'), { recursive: true });
  if (await runningPid()) {
    console.log('the suite is up already');
    return status();
  }
  const from = await stat(supervisorLog).then(
    ({ size }) => size,
    () => 0,
  );
  const log = openSync(supervisorLog, 'a');
  const child = spawn(process.execPath, [import.meta.filename, 'run'], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  let ended = false;
  child.once('exit', () => (ended = true));
  const deadline = performance.now() + UP_TIMEOUT_MS;
  let shown = 0;
  for (;;) {
    const lines = (await readFile(supervisorLog, 'utf8')).slice(from).split('\n').slice(0, -1);
    for (const line of lines.slice(shown)) console.log(`  ${line}`);
    shown = lines.length;
    if (lines.includes('the suite is ready')) break;
    if (ended || performance.now() > deadline) {
      console.error(`the suite did not start: see ${supervisorLog}`);
      return 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  child.unref();
  return 0;
}

async function down(): Promise<number> {
  const pid = await runningPid();
  if (!pid) {
    console.log('the suite is not running');
    return 0;
  }
  process.kill(pid, 'SIGTERM');
  const deadline = performance.now() + DOWN_TIMEOUT_MS;
  while (await runningPid()) {
    if (performance.now() > deadline) {
      console.error(`process ${pid} does not end: see ${supervisorLog}`);
      return 1;
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  console.log('stopped; the data stays in .kith');
  return 0;
}

async function status(): Promise<number> {
  const pid = await runningPid();
  if (!pid) {
    console.log('not running; ./scripts/up starts it');
    return 1;
  }
  const ports = portsOf(await readEnvFile(envFile));
  let allReady = true;
  for (const { name } of SERVICES) {
    const said = await fetch(`http://127.0.0.1:${ports[name]}/health/ready`, {
      signal: AbortSignal.timeout(3_000),
    })
      .then(
        (response) =>
          response.json() as Promise<{
            ready: boolean;
            dependencies: Record<string, { up: boolean }>;
            degraded: { effect: string }[];
          }>,
      )
      .catch(() => null);
    const lacking = Object.entries(said?.dependencies ?? {}).filter(([, { up: isUp }]) => !isUp);
    const words = said
      ? said.ready
        ? ['ready', ...said.degraded.map(({ effect }) => effect)].join('; ')
        : `not ready: ${lacking.map(([what]) => what).join(', ')}`
      : 'down';
    allReady &&= said?.ready === true;
    console.log(`${name.padEnd(20)} ${words}`);
  }
  return allReady ? 0 : 1;
}

/** The supervisor's process id, if it lives. */
async function runningPid(): Promise<number | null> {
  const pid = Number(await readFile(pidFile, 'utf8').catch(() => '0'));
  if (!pid) return null;
  try {
    process.kill(pid, 0);
    return pid;
  } catch {
    await rm(pidFile, { force: true }); // left by one that was killed
    return null;
  }
}
