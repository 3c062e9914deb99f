import { readFile } from 'node:fs/promises';
import type { Stack } from '@kith/embedded';

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
