import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readFile, readdir, rm, stat, symlink, open, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { SERVICES, endOrphans, freePort } from '@kith/embedded';
import { eventually } from '@kith/testing';

const root = join(import.meta.dirname, '../..');
/** Lines of the supervisor at the end of each step of the start; '' is right after its beginning. */
const STEPS = ['', 'PostgreSQL and Redis are up', 'the database is up to date'];
const READY = 'the suite is ready';
const CANARY = 'canary-of-the-discord-token';
let directory: string;
let ports: Record<string, number>;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kith-start-'));
  ports = { postgres: await freePort(), redis: await freePort() };
  for (const { name } of SERVICES) ports[name] = await freePort();
});
afterAll(async () => {
  await endOrphans(directory);
  await rm(directory, { recursive: true, force: true });
});

function startSupervisor(over: { settings?: Record<string, string>; placement?: string } = {}): {
  supervisor: ChildProcess;
  said: string[];
} {
  const options = {
    root,
    directory,
    ports,
    placement: over.placement ?? 'apart',
    secrets: { ownerPassword: 'owner', appPassword: 'app', redisPassword: 'redis', apiKey: '' },
    environment: { VECTOR_INDEX: 'exact', OPENAI_API_KEY: CANARY, ...over.settings },
    // Marks the services' processes as this suite's.
    processEnvironment: { SUITE_DIRECTORY: directory },
    durable: false,
  };
  const supervisor = spawn(
    process.execPath,
    [join(import.meta.dirname, 'start-suite.ts'), JSON.stringify(options)],
    { env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const said: string[] = [];
  createInterface({ input: supervisor.stdout }).on('line', (line) => said.push(line));
  return { supervisor, said };
}

/** Lists processes that run in the test's directory or listen for it, by what the machine says of every process. */
async function processesLeft(): Promise<string[]> {
  const left: string[] = [];
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const [command, environment] = await Promise.all(
      ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
    );
    const isRedis = command!.includes(`redis-server 127.0.0.1:${ports['redis']}`);
    const isService = environment!.includes(`SUITE_DIRECTORY=${directory}`);
    if (isRedis || isService || command!.includes(`${directory}/`)) left.push(command!.replaceAll('\0', ' '));
  }
  return left;
}

async function reached(step: string, said: string[]): Promise<void> {
  // Before anything is said: the first process of its own is there.
  const first = () =>
    readdir(join(directory, 'processes')).then(
      ({ length }) => length > 0,
      () => false,
    );
  await eventually(step || 'the first process', () => (step === '' ? first() : said.includes(step)), 80_000);
}

describe('a supervisor that is killed', () => {
  it.each(STEPS)('after "%s" leaves nothing that can not be ended', async (step) => {
    const { supervisor, said } = startSupervisor();
    await reached(step, said);
    await endBy('SIGKILL', supervisor);
    const ended = await endOrphans(directory);
    if (step !== '') expect(ended).toEqual(expect.arrayContaining(['postgres', 'redis']));
    // PostgreSQL's own helpers, and one that made the cluster, end a moment later.
    await eventually('nothing is left', async () => (await processesLeft()).length === 0, 15_000).catch(
      () => undefined,
    );
    expect(await processesLeft()).toEqual([]);
  });

  it('is followed by a start that ends what is left, and works', async () => {
    const first = startSupervisor();
    await reached(READY, first.said);
    await endBy('SIGKILL', first.supervisor);
    const { supervisor, said } = startSupervisor();
    await reached(READY, said);
    // The services end by themselves, sooner or later than the stores are found.
    expect(said[0]).toMatch(/^ended what an earlier start left behind: .*redis/);
    await expect(endOrphans(directory)).rejects.toThrow(
      `process ${supervisor.pid} runs a suite in ${directory}`,
    );
    await checkPrivacy();
    await endBy('SIGTERM', supervisor);
    expect(await processesLeft()).toEqual([]);
    expect(await readdir(join(directory, 'processes'))).toEqual([]);
  }, 180_000);
});

describe('services that refuse their settings', () => {
  const settings = {
    RATE_LIMIT_PER_MINUTE: 'lots',
    NIGHT_AT: '25:99',
    HOOKS_DIR: '/nowhere',
    MODEL_CARDS: '{bad',
    EMBEDDING_PROVIDER: 'openai',
    EMBEDDING_NEXT_PROVIDER: 'openai',
  };
  /** An embedding host that never answers: the service waits for its list of models before it looks further. */
  const host = createServer((caller) => caller.on('error', () => undefined).resume());
  beforeAll(() => once(host.listen(0, '127.0.0.1'), 'listening'));
  afterAll(() => void host.close());

  it.each(['apart', 'together'])(
    '%s end the start, which says all that is wrong and leaves nothing',
    async (placement) => {
      const EMBEDDING_BASE_URL = `http://127.0.0.1:${(host.address() as AddressInfo).port}/v1`;
      const { supervisor, said } = startSupervisor({
        settings: { ...settings, EMBEDDING_BASE_URL },
        placement,
      });
      await once(supervisor, 'close');
      const [, ...wrong] = said.slice(said.indexOf('settings are wrong, mend them in .env:'));
      const told = wrong.map((line) => [/^ {2}(\w+): /.exec(line)?.[1], / \[([^\]]+)\]$/.exec(line)?.[1]]);
      expect(told.toSorted()).toEqual([
        ['EMBEDDING_NEXT_PROVIDER', 'embedding'],
        ['HOOKS_DIR', 'memory, personality'],
        ['MODEL_CARDS', 'memory, personality'],
        ['NIGHT_AT', 'proactive-scheduler'],
        ['RATE_LIMIT_PER_MINUTE', 'gateway'],
      ]);
      expect(said.filter((line) => line.includes('is started again'))).toEqual([]);
      expect(await processesLeft()).toEqual([]);
    },
  );
});

describe('a supervisor that is asked to stop', () => {
  it.each(STEPS)('after "%s" ends with all that it started', async (step) => {
    const { supervisor, said } = startSupervisor();
    await reached(step, said);
    await endBy('SIGTERM', supervisor);
    expect(await processesLeft()).toEqual([]);
    expect(await readdir(join(directory, 'processes'))).toEqual([]);
  });
});

describe('a start that is interrupted by Ctrl-C', () => {
  let checkout: string;
  let main: string;
  beforeAll(async () => {
    checkout = join(directory, 'checkout');
    main = join(checkout, 'libs/embedded/dist/main.js');
    // Programs that are started by their path have their own folder by it.
    for (const part of ['libs/embedded/dist', '.env.example', 'tools'])
      await cp(join(root, part), join(checkout, part), { recursive: true });
    const linked = 'node_modules package.json prisma services apps libs/service-host libs/database'.split(
      ' ',
    );
    for (const part of linked) await symlink(join(root, part), join(checkout, part));
    const stores = { postgres: 'KITH_POSTGRES_PORT', redis: 'KITH_REDIS_PORT' };
    const named = [...Object.entries(stores), ...SERVICES.map((each) => [each.name, each.portVariable])];
    const lines = named.map(([name, variable]) => `${variable}=${ports[name]}\n`);
    await writeFile(join(checkout, '.env'), lines.join(''));
  });

  async function interrupted(turn: object, step: string): Promise<{ up: ChildProcess; said: string[] }> {
    const { KITH_TURN: _, ...environment } = process.env;
    const env = { ...environment, NODE_OPTIONS: '', ...turn };
    const up = spawn(process.execPath, [main, 'up'], { env });
    const said: string[] = [];
    for (const output of [up.stdout, up.stderr])
      createInterface({ input: output }).on('line', (line) => said.push(line.trim()));
    await reached('the database is up to date', said);
    // It does not see what comes between here and the signal.
    up.kill('SIGSTOP');
    const log = join(checkout, '.kith/logs/supervisor.log');
    await eventually(step, async () => (await readFile(log, 'utf8')).includes(step));
    const hasEnded = once(up, 'close');
    up.kill('SIGINT');
    up.kill('SIGCONT');
    await hasEnded;
    return { up, said };
  }

  it.each([
    ['the database is up to date', 'the start was called off'],
    [READY, 'stopping'],
  ])('at "%s" ends with all that it started, and says so', async (step, words) => {
    const { up, said } = await interrupted({}, step);
    expect(up.exitCode).toBe(1);
    expect(said).toContain(words);
    expect(await processesLeft()).toEqual([]);
    expect(await readdir(join(checkout, '.kith/processes'))).toEqual([]);
  });

  it('goes on where it is a restore’s, which starts the suite again', async () => {
    const { up } = await interrupted({ KITH_TURN: '1' }, 'the database is up to date');
    expect(up.signalCode).toBe('SIGINT');
    const down = () => spawnSync(process.execPath, [main, 'down'], { encoding: 'utf8' });
    expect(down().stdout).toBe('stopped; the data stays in .kith\n');
    expect(await processesLeft()).toEqual([]);
  });
});

async function endBy(signal: NodeJS.Signals, supervisor: ChildProcess): Promise<void> {
  const gone = once(supervisor, 'exit');
  supervisor.kill(signal);
  await gone;
}

/** Tells whether these words stand anywhere in what a process has written to its memory. */
async function holds(pid: number, words: string): Promise<boolean> {
  const maps = (await readFile(`/proc/${pid}/maps`, 'utf8')).split('\n');
  const memory = await open(`/proc/${pid}/mem`);
  try {
    for (const line of maps) {
      const [, from, to] = /^([0-9a-f]+)-([0-9a-f]+) rw/.exec(line) ?? [];
      if (from === undefined) continue;
      const [start, length] = [parseInt(from, 16), parseInt(to!, 16) - parseInt(from, 16)];
      // A region may be given back meanwhile, or be reserved and never used.
      const { buffer, bytesRead } = await memory
        .read(Buffer.alloc(length), 0, length, start)
        .catch(() => ({ buffer: Buffer.alloc(0), bytesRead: 0 }));
      if (buffer.subarray(0, bytesRead).includes(words)) return true;
    }
    return false;
  } finally {
    await memory.close();
  }
}

/** Each service has the settings it reads and no others, and no file is open to other users of the machine. */
async function checkPrivacy(): Promise<void> {
  const knows = async (service: string) => {
    const record = JSON.parse(await readFile(join(directory, 'processes', `${service}.json`), 'utf8')) as {
      pid: number;
    };
    return holds(record.pid, CANARY);
  };
  expect(await knows('gateway')).toBe(true);
  for (const service of ['discord-bot', 'proactive-scheduler', 'embedding']) {
    expect([service, await knows(service)]).toEqual([service, false]);
  }
  const openToOthers: string[] = [];
  for (const name of await readdir(directory, { recursive: true })) {
    const mode = await stat(join(directory, name)).then(
      (found) => found.mode,
      () => 0, // PostgreSQL removes files as it goes
    );
    if ((mode & 0o077) !== 0) openToOthers.push(`${name} ${(mode & 0o777).toString(8)}`);
  }
  expect(openToOthers).toEqual([]);
}
