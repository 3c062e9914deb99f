import { readFile } from 'node:fs/promises';
import { SERVICES, type Stack } from '@kith/embedded';

/** Resident memory of each service, in MB. Linux only; empty elsewhere. */
export async function residentMegabytes(stack: Pick<Stack, 'service'>): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const { name } of SERVICES) {
    const status = await readFile(`/proc/${stack.service(name).pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    if (kilobytes) sizes[name] = Math.round(Number(kilobytes) / 1_024);
  }
  return sizes;
}
