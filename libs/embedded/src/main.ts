import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { present } from '@kith/contracts';
import { ensureSecrets, readEnvFile } from './settings/env-file.js';
import { linesSince } from './files/lines-since.js';
import { makePrivate } from './files/private-files.js';
import { endOrphans, endsBy } from './processes/process-records.js';
import { readPorts } from './settings/read-ports.js';
import { readHealth } from './services/running-service.js';
import { SERVICES, placementOf } from './settings/services.js';
import { Stack } from './stack.js';
import { findSupervisor, recordSupervisor, removeSupervisorRecord } from './processes/supervisor-record.js';

// Usage: node libs/embedded/dist/main.js up | run | down | status | secrets | restore FILE
// `up` starts `run` in the background and waits until the suite is ready; `secrets` only makes .env, for Compose.
// Called by scripts/up and its kin.

const root = join(import.meta.dirname, '../../..');
const directory = join(root, '.kith');
const supervisorLog = join(directory, 'logs', 'supervisor.log');
const envFile = join(root, '.env');

/** Time without a word: longer than all the waits of a start together, each of which ends it with its own reason. */
const UP_TIMEOUT_MS = 240_000;
/** Longer than the services take to drain (28 s) and the stores to stop. */
const DOWN_TIMEOUT_MS = 60_000;
/** Pause between two looks at the log and the process: too short to be noticed, and costs next to nothing. */
const POLL_MS = 100;

// The work goes on without a reader: of a pipe that closed, such as head's, or of a terminal that is gone. A supervisor
// goes on with a full disk, too: its services would be left behind.
for (const output of [process.stdout, process.stderr])
  output.on('error', (error: NodeJS.ErrnoException) => {
    const isUnread = error.code === 'EPIPE' || error.code === 'EIO';
    if (!isUnread && process.argv[2] !== 'run') throw error;
  });

const commands: Record<string, () => Promise<number>> = { up, run, down, status, secrets, restore };
const command = commands[process.argv[2] ?? ''];
if (!command) {
  console.error('usage: up | run | down | status | secrets | restore FILE');
  process.exit(2);
}
// Ends whatever is still open: a start that has failed must not wait for a handle that nobody closes.
process.exit(
  await command().catch((error: unknown) => {
    console.error((error as Error).message);
    return 1;
  }),
);

/** The supervisor itself, in the foreground. Asked to stop, also in the middle of a start, it ends all it started. */
async function run(): Promise<number> {
  const asked = new AbortController();
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, () => asked.abort());
  // Before the secrets: two starts at once would each make up their own.
  await recordSupervisor(directory);
  try {
    const settings = await ensureSecrets(envFile, join(root, '.env.example'));
    const stack = await Stack.start({
      root,
      directory,
      ports: readPorts(settings),
      // A small machine has no memory for six processes.
      placement: placementOf(settings['KITH_PLACEMENT'] || 'together', 'KITH_PLACEMENT in .env'),
      secrets: secretsOf(settings),
      environment: forServices(settings),
      durable: true,
      onProgress: (line) => console.log(line),
      signal: asked.signal,
    });
    console.log('the suite is ready');
    if (!asked.signal.aborted) await once(asked.signal, 'abort');
    console.log('stopping');
    await stack.stop();
    return 0;
  } finally {
    await removeSupervisorRecord(directory, process.pid);
  }
}

/** The stores' addresses are the stack's own here: what .env says of them is for Compose. */
function forServices(settings: Record<string, string>): Record<string, string> {
  const { DATABASE_URL: _, DATABASE_OWNER_URL: __, REDIS_URL: ___, HTTP_HOST: ____, ...rest } = settings;
  return rest;
}

function secretsOf(settings: Record<string, string>) {
  return {
    ownerPassword: present(settings['POSTGRES_PASSWORD']),
    appPassword: present(settings['KITH_APP_DB_PASSWORD']),
    redisPassword: present(settings['REDIS_PASSWORD']),
    apiKey: present(settings['KITH_KEY']),
  };
}

/** Puts the database of a backup in the place of what a stopped suite holds, or makes a suite's of it. */
async function restore(): Promise<number> {
  const backup = process.argv[3];
  if (!backup) throw new Error('usage: restore FILE');
  if (await findSupervisor(directory)) throw new Error('the suite is running: ./scripts/down');
  // A backup of an earlier version may lack some.
  const settings = await ensureSecrets(envFile, join(root, '.env.example'));
  const [ports, secretsHere] = [readPorts(settings), secretsOf(settings)];
  await Stack.restoreStopped({ root, directory, ports, secrets: secretsHere, durable: true }, backup);
  return 0;
}

async function secrets(): Promise<number> {
  await ensureSecrets(envFile, join(root, '.env.example'));
  return 0;
}

async function up(): Promise<number> {
  // Before anything is written: the folder may be another user's.
  if (await findSupervisor(directory)) {
    console.log(
      'the suite is up already: another version, or a change of .env, takes effect after ./scripts/down and ./scripts/up',
    );
    return status();
  }
  await makePrivate(join(directory, 'logs'));
  const from = await stat(supervisorLog).then(
    ({ size }) => size,
    () => 0,
  );
  const log = openSync(supervisorLog, 'a', 0o600);
  const child = spawn(process.execPath, [import.meta.filename, 'run'], {
    detached: true,
    stdio: ['ignore', log, log],
  });
  // Ctrl-C calls the start off: whoever sees no more of it would think that nothing runs. A terminal that is gone does not,
  // and within a restore, whose turn it is then, the suite starts whatever is pressed.
  const { KITH_TURN: turn } = process.env;
  if (turn === undefined || turn === String(process.ppid))
    process.once('SIGINT', () => child.kill('SIGTERM'));
  let heardAt = performance.now();
  let shown = 0;
  for (;;) {
    // Before the log is read: what it said at its end is in it then.
    const isLast = child.exitCode !== null || child.signalCode !== null;
    const lines = await linesSince(supervisorLog, from);
    for (const line of lines.slice(shown)) console.log(`  ${line}`);
    if (lines.length > shown) heardAt = performance.now();
    shown = lines.length;
    // One that is called off stops again, though it was ready by then.
    if (lines.includes('the suite is ready') && !child.killed) return 0;
    if (isLast) {
      // Where it was killed, and could not clean up. What another start began is not ours to end.
      if (!(await findSupervisor(directory))) await endOrphans(directory);
      console.error(`the suite did not start: see ${join(directory, 'logs')}`);
      return 1;
    }
    if (performance.now() - heardAt > UP_TIMEOUT_MS) {
      console.error(`the start has said nothing for ${UP_TIMEOUT_MS / 1_000} s: see ${supervisorLog}`);
      await down();
      return 1;
    }
    await sleep(POLL_MS);
  }
}

async function down(): Promise<number> {
  const supervisor = await findSupervisor(directory);
  if (!supervisor) {
    const left = await endOrphans(directory);
    if (left.length > 0) console.log(`ended what an earlier start left behind: ${left.join(', ')}`);
    else console.log('the suite is not running');
    return 0;
  }
  if (!(await endsBy('SIGTERM', supervisor, DOWN_TIMEOUT_MS))) {
    console.error(`process ${supervisor.pid} does not end by itself and is killed: see ${supervisorLog}`);
    await endsBy('SIGKILL', supervisor, Infinity);
  }
  await endOrphans(directory);
  await removeSupervisorRecord(directory, supervisor.pid);
  console.log('stopped; the data stays in .kith');
  return 0;
}

async function status(): Promise<number> {
  const supervisor = await findSupervisor(directory);
  if (!supervisor) {
    console.log('not running; ./scripts/up starts it');
    return 1;
  }
  const ports = readPorts(await readEnvFile(envFile));
  let allReady = true;
  for (const { name } of SERVICES) {
    const said = await readHealth(`http://127.0.0.1:${ports[name]}`, supervisor.pid);
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
