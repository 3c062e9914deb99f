import { PARENT_HEADER, ServiceHealth } from '@kith/contracts';
import type { ServiceName } from '../settings/services.js';
import type { ServiceProcess } from './service-process.js';

/** One service of a suite, in the process that it was placed in. */
export class RunningService {
  constructor(
    readonly name: ServiceName,
    /** Address of its probes. */
    readonly url: string,
    /** Its own, or the one of all services. */
    readonly process: ServiceProcess,
  ) {}

  /** Reads its readiness probe; null when nothing answers. */
  async health(): Promise<{ ready: boolean; problems: string[] } | null> {
    const said = await readHealth(this.url, process.pid);
    if (!said) return null;
    const down = Object.entries(said.dependencies).filter(([, { up }]) => !up);
    return {
      ready: said.ready,
      problems: down.map(([name, { problem }]) => `${name}: ${problem ?? 'down'}`),
    };
  }
}

/**
 * Reads the readiness probe at a service's address; null when nothing answers, or another program that has its port, such
 * as a service of another suite.
 * @param supervisor id of the process that started the service
 */
export async function readHealth(url: string, supervisor: number): Promise<ServiceHealth | null> {
  try {
    const response = await fetch(`${url}/health/ready`, { signal: AbortSignal.timeout(3_000) });
    // A suite that an earlier version started does not tell.
    if (Number(response.headers.get(PARENT_HEADER) ?? supervisor) !== supervisor) return null;
    return ServiceHealth.parse(await response.json());
  } catch {
    return null;
  }
}
