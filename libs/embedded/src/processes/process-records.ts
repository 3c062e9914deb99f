import { execFileSync, type ChildProcess } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A process with its start time, which a later process of the same id does not share. */
export interface KnownProcess {
  pid: number;
  began: string;
}

/** A process as a file of the suite's directory notes it. */
export interface NotedProcess extends KnownProcess {
  /** The directory, as `folderOf` names it. Earlier versions did not note it. */
  folder?: string;
}

interface ProcessRecord extends NotedProcess {
  name: string;
  /** The supervisor that started it. */
  owner: KnownProcess;
}

/** A service drains what it has in work; PostgreSQL writes a checkpoint. */
const END_TIMEOUT_MS = 30_000;
/** A process that is killed is gone at once, unless the disk holds it. */
const KILL_TIMEOUT_MS = 5_000;
/** Pause between two looks: a start that waits for this loses no more. */
const POLL_MS = 50;

/** The stores end last: services write to them while they drain. */
const STORES = ['redis', 'postgres'];

/** When a process began; null when it has ended. */
function beganAt(pid: number): string | null {
  if (process.platform !== 'linux') return beganByPs(pid);
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the command's name in brackets, which may itself contain spaces and brackets.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z') return null;
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    return `${boot} ${fields[19]}`;
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  if (process.platform !== 'linux') return asked(pid, 'command');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
  } catch {
    return '';
  }
}

/** When a process began, as `ps` tells it; null when it has ended. */
export function beganByPs(pid: number): string | null {
  return asked(pid, 'lstart') || null;
}

function asked(pid: number, field: string): string {
  try {
    // A time is written the same for whoever asks, whatever their language and zone.
    const env = { ...process.env, LC_ALL: 'C', TZ: 'UTC' };
    return execFileSync('ps', ['-o', `${field}=`, '-p', String(pid)], { encoding: 'utf8', env }).trim();
  } catch {
    return '';
  }
}

/** Tells whether this process is alive, and not a later one with the same id. */
export function isAlive({ pid, began }: KnownProcess): boolean {
  return beganAt(pid) === began;
}

/** A running process as it can be recognised later; null when it has ended. */
export function identify(pid: number): KnownProcess | null {
  const began = beganAt(pid);
  return began === null ? null : { pid, began };
}

/** Names a directory by its place on the disk: it keeps this where it is moved, and a copy of it has another. */
export function folderOf(directory: string): string {
  const { dev, ino } = statSync(directory, { bigint: true });
  return `${dev}:${ino}`;
}

/** Tells whether a process is alive that was noted in this directory, rather than in one that this is a copy of. */
export function runsIn(directory: string, noted: NotedProcess): boolean {
  return (noted.folder === undefined || noted.folder === folderOf(directory)) && isAlive(noted);
}

/** Notes on disk that this process started another, so that `endOrphans` finds it if this one is killed. */
export function recordProcess(directory: string, name: string, child: ChildProcess): void {
  const known = child.pid === undefined ? null : identify(child.pid);
  const owner = identify(process.pid);
  if (!known || !owner) return; // It has ended already.
  const file = join(directory, 'processes', `${name}.json`);
  try {
    mkdirSync(join(directory, 'processes'), { recursive: true, mode: 0o700 });
    const record: ProcessRecord = { name, ...known, owner, folder: folderOf(directory) };
    writeFileSync(file, JSON.stringify(record), { mode: 0o600 });
  } catch {
    // A full disk costs the record, never the process.
    return;
  }
  child.once('exit', () => {
    try {
      if (readRecord(file)?.pid === known.pid) rmSync(file, { force: true });
    } catch {
      // The record stays, of a process that has ended.
    }
  });
}

function readRecord(file: string): ProcessRecord | null {
  return parseRecord(readIfThere(() => readFileSync(file, 'utf8'))) as ProcessRecord | null;
}

/** A record by its text; null where there is none, or half of one. Pure. */
export function parseRecord(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function readIfThere<Read>(read: () => Read): Read | null {
  try {
    return read();
  } catch (error) {
    return notThere(error);
  }
}

/**
 * Tells from a read error whether a record is missing, rather than unreadable. Pure.
 * @throws Error in one line for the latter: it may tell of a suite that runs
 */
export function notThere(error: unknown): null {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
  throw inWords(error);
}

/** The error of a user who may not do that, in words; any other as it is. */
function inWords(error: unknown): unknown {
  if (!['EACCES', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return error;
  return new Error('the suite belongs to another user: run this as them', { cause: error });
}

/**
 * Ends what an earlier supervisor of this directory left behind when it was killed: services first, then the stores.
 * Returns their names.
 * @throws Error when a living supervisor runs the suite of this directory, or when a process can't be ended
 */
export async function endOrphans(directory: string): Promise<string[]> {
  const folder = join(directory, 'processes');
  const files = (readIfThere(() => readdirSync(folder)) ?? []).map((name) => join(folder, name));
  const records = files
    .flatMap((file) => readRecord(file) ?? [])
    .filter((record) => runsIn(directory, record));
  const owner = records.find((record) => record.owner.pid !== process.pid && isAlive(record.owner))?.owner;
  if (owner) throw new Error(`process ${owner.pid} runs a suite in ${directory}: ./scripts/down`);
  const found: { name: string; process: KnownProcess }[] = records.map((record) => ({
    name: record.name,
    process: record,
  }));
  const postmaster = findPostmaster(join(directory, 'postgres'));
  if (postmaster && !found.some(({ process: { pid } }) => pid === postmaster.pid)) {
    found.push({ name: 'postgres', process: postmaster });
  }
  const end = (them: typeof found) => Promise.all(them.map((one) => endProcess(one.name, one.process)));
  await end(found.filter(({ name }) => !STORES.includes(name)));
  await end(found.filter(({ name }) => STORES.includes(name)));
  for (const file of files) rmSync(file, { force: true });
  return found.map(({ name }) => name);
}

/** PostgreSQL keeps a record of its own; it may be there before ours is. */
export function findPostmaster(cluster: string): KnownProcess | null {
  const noted = readIfThere(() => readFileSync(join(cluster, 'postmaster.pid'), 'utf8'));
  const pid = Number(noted?.split('\n')[0]);
  // The file outlives a crash of the machine, after which its process id may be anybody's.
  return pid > 0 && commandOf(pid).includes(cluster) ? identify(pid) : null;
}

async function endProcess(name: string, known: KnownProcess): Promise<void> {
  // PostgreSQL: end the connections and stop; at last stop at once, and repair at the next start.
  const [ask, force]: [NodeJS.Signals, NodeJS.Signals] =
    name === 'postgres' ? ['SIGINT', 'SIGQUIT'] : ['SIGTERM', 'SIGKILL'];
  if (await endsBy(ask, known, END_TIMEOUT_MS)) return;
  if (await endsBy(force, known, KILL_TIMEOUT_MS)) return;
  throw new Error(`${name} of an earlier start, process ${known.pid}, does not end`);
}

/** Sends a signal to a process, and waits for its end. Returns whether it ended in time. @throws Error where it may not be sent */
export async function endsBy(signal: NodeJS.Signals, known: KnownProcess, withinMs: number) {
  const deadline = performance.now() + withinMs;
  try {
    if (isAlive(known)) process.kill(known.pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPERM') throw inWords(error);
  }
  while (isAlive(known)) {
    if (performance.now() > deadline) return false;
    await sleep(POLL_MS);
  }
  return true;
}
