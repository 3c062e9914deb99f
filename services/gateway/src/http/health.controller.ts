import {
  healthContract,
  healthRoutes,
  SERVICES,
  type ServiceHealth,
  type SuiteHealth,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { HealthChecks } from '@kith/service-host';
import { Controller } from '@nestjs/common';
import { ModelCatalog } from '../models/model-catalog.js';
import { Serves, type RouteCall } from './serves.js';

/** Time for a service to answer, which gives each of its dependencies 1.5 s. */
const ASK_MS = 2_000;

@Controller()
export class HealthController {
  constructor(
    private readonly messenger: Messenger,
    private readonly checks: HealthChecks,
    private readonly models: ModelCatalog,
  ) {}

  /** Without a key only whether all is well; with one, every service and what it lacks. */
  @Serves(healthRoutes.show)
  async onHealth({ caller }: RouteCall<typeof healthRoutes.show>) {
    const services = await Promise.all(SERVICES.map((service) => this.ask(service)));
    const isWell = services.every(({ ready, degraded }) => ready && degraded.length === 0);
    const status: SuiteHealth['status'] = isWell ? 'ok' : 'degraded';
    return caller ? { status, services, models: this.models.speaking } : { status };
  }

  private ask(service: string): Promise<ServiceHealth> {
    if (service === 'gateway') return this.checks.read();
    // Without Redis nobody could answer, so there is nothing to wait for.
    if (!this.messenger.canAsk) return Promise.resolve(unknown(service, 'not known: Redis is down'));
    return this.messenger
      .ask(healthContract(service), {}, { timeoutMs: ASK_MS })
      .catch((error: unknown) => unknown(service, (error as Error).message));
  }
}

/** Makes the health of a service that gives no answer. */
function unknown(service: string, problem: string): ServiceHealth {
  return {
    service,
    ready: false,
    dependencies: { process: { up: false, problem, tookMs: null } },
    degraded: [],
  };
}
