import { readFile, readdir } from 'node:fs/promises';

/** Clock ticks of `/proc/<pid>/stat`, as Linux has them everywhere. */
const TICK_MS = 10;

/**
 * CPU time used so far by this process and everything it started, in milliseconds by program: what load costs, whoever
 * else is busy on the machine. Linux only; empty elsewhere.
 * @param names what to call which process; others go by their program's name
 */
export async function cpuTimes(names: ReadonlyMap<number, string>): Promise<Record<string, number>> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name)).map(Number);
  const processes = new Map<number, { parent: number; program: string; ms: number }>();
  for (const pid of pids) {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const [, program, rest] = /^\d+ \((.*)\) (.*)$/s.exec(stat) ?? [];
    if (program === undefined || rest === undefined) continue;
    const fields = rest.split(' ');
    const ms = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
    processes.set(pid, { parent: Number(fields[1]), program, ms });
  }
  const times: Record<string, number> = {};
  for (const [pid, { program, ms }] of processes) {
    let ancestor = pid;
    while (ancestor > 1 && ancestor !== process.pid) ancestor = processes.get(ancestor)?.parent ?? 0;
    if (ancestor !== process.pid) continue;
    const name = pid === process.pid ? 'load and model' : (names.get(pid) ?? program);
    times[name] = (times[name] ?? 0) + ms;
  }
  return times;
}
