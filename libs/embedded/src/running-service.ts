import type { ServiceName } from './services.js';
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

  /** Id of the process it runs in. */
  get pid(): number | undefined {
    return this.process.pid;
  }

  /** Sends its process a signal, as an operator or the kernel would; what dies of it is started again. */
  kill(signal: NodeJS.Signals): void {
    this.process.kill(signal);
  }

  /** Reads its readiness probe; null when nothing answers. */
  async health(): Promise<{ ready: boolean; problems: string[] } | null> {
    try {
      const response = await fetch(`${this.url}/health/ready`, { signal: AbortSignal.timeout(3_000) });
      const body = (await response.json()) as {
        ready: boolean;
        dependencies: Record<string, { up: boolean; problem: string | null }>;
      };
      const problems = Object.entries(body.dependencies)
        .filter(([, { up }]) => !up)
        .map(([name, { problem }]) => `${name}: ${problem ?? 'down'}`);
      return { ready: body.ready, problems };
    } catch {
      return null;
    }
  }
}
