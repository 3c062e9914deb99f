import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';

/** Tells whether a process was started and has not ended. */
export function isRunning({ pid, exitCode, signalCode }: ChildProcess): boolean {
  return pid !== undefined && exitCode === null && signalCode === null;
}

/** Sends a signal to a process that runs, and kills it if it has not ended after `timeoutMs`. Resolves when it has ended. */
export async function endChild(child: ChildProcess, signal: NodeJS.Signals, timeoutMs: number) {
  if (!isRunning(child)) return;
  const gone = once(child, 'exit');
  child.kill(signal);
  const force = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  await gone;
  clearTimeout(force);
}
