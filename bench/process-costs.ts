import { readFile, readdir } from 'node:fs/promises';
import type { Stack } from '@kith/embedded';
import { sum } from './figures.ts';

/** Clock ticks of `/proc/<pid>/stat`, as Linux has them everywhere. */
const TICK_MS = 10;

/**
 * Time in which the work that follows turns is done: it waits for two seconds, or for a pause of the turns. CPU is read
 * after it, so that it is charged to the turns it follows.
 */
export const FOLLOWED_MS = 5_000;

/** Name of the process that makes the load and plays the model, which no product is charged for. */
export const LOAD = 'load and model';

interface Process {
  parent: number;
  program: string;
  ms: number;
}

/** Every process of this machine, with its CPU time so far. Linux only; empty elsewhere. */
async function processesNow(): Promise<Map<number, Process>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = new Map<number, Process>();
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, program, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    if (program === undefined || rest === undefined) continue;
    const fields = rest.split(' ');
    // With that of children which ended: a pool closes connections, and the postmaster counts what theirs took.
    const counted = pid === process.pid ? fields.slice(11, 13) : fields.slice(11, 15);
    const ms = sum(counted.map(Number)) * TICK_MS;
    processes.set(pid, { parent: Number(fields[1]), program, ms });
  }
  return processes;
}

/**
 * CPU time used so far by the connections to a database of any PostgreSQL on this machine, in milliseconds: each is a
 * process whose title names it. Those that ended are not counted.
 */
export async function connectionsCpuMs(database: string): Promise<number> {
  let ms = 0;
  for (const [pid, { ms: used }] of await processesNow()) {
    const title = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (title.startsWith('postgres: ') && title.split(' ').includes(database)) ms += used;
  }
  return ms;
}

/**
 * CPU time used so far by this process and everything it started, in milliseconds: what the load costs, whatever else is
 * busy on the machine. A service goes by its own name, any other process by its program's. Linux only; empty elsewhere.
 */
export async function cpuTimes(stack: Pick<Stack, 'processes'>): Promise<Record<string, number>> {
  const names = new Map(stack.processes.map(({ name, pid }) => [pid ?? 0, name]));
  const processes = await processesNow();
  const times: Record<string, number> = {};
  for (const [pid, { program, ms }] of processes) {
    let ancestor = pid;
    while (ancestor > 1 && ancestor !== process.pid) ancestor = processes.get(ancestor)?.parent ?? 0;
    if (ancestor !== process.pid) continue;
    const name = pid === process.pid ? LOAD : (names.get(pid) ?? program);
    times[name] = (times[name] ?? 0) + ms;
  }
  return times;
}

/** Resident memory of each process of services, in MB. Linux only; empty elsewhere. */
export async function residentMegabytes(stack: Pick<Stack, 'processes'>): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const { name, pid } of stack.processes) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    if (kilobytes) sizes[name] = Math.round(Number(kilobytes) / 1_024);
  }
  return sizes;
}
