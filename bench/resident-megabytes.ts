import { readFile } from 'node:fs/promises';
import { SERVICES } from '@kith/embedded';
import type { OwnSuite } from './own-suite.ts';

/** Resident memory of each service, in MB. Linux only; empty elsewhere. */
export async function residentMegabytes(on: OwnSuite): Promise<Record<string, number>> {
  const sizes: Record<string, number> = {};
  for (const { name } of SERVICES) {
    const status = await readFile(`/proc/${on.stack.service(name).pid}/status`, 'utf8').catch(() => '');
    const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1];
    if (kilobytes) sizes[name] = Math.round(Number(kilobytes) / 1_024);
  }
  return sizes;
}
