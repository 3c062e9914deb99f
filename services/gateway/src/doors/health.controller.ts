import { Controller, Get, Req } from '@nestjs/common';
import { SERVICES, healthContract, type ServiceHealth, type SuiteHealth } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { HealthChecks } from '@kith/service-host';
import type { Request } from 'express';
import type { Caller } from '../people/api-keys.js';
import { Needs } from './api-key.guard.js';
import { ModelNames } from './model-names.js';

/** A service gives each of its dependencies 1.5 s; whoever looks at all of them waits for less than 3 s. */
const ASK_MS = 2_000;

@Controller('v1/health')
export class HealthController {
  constructor(
    private readonly messenger: Messenger,
    private readonly checks: HealthChecks,
    private readonly models: ModelNames,
  ) {}

  /** Without a key only whether all is well; with one, every service and what it lacks. */
  @Get()
  @Needs('no-key')
  async onHealth(
    @Req() request: Request & { caller?: Caller },
  ): Promise<SuiteHealth | Pick<SuiteHealth, 'status'>> {
    const services = await Promise.all(SERVICES.map((service) => this.#ask(service)));
    const isWell = services.every(({ ready, degraded }) => ready && degraded.length === 0);
    const status = isWell ? 'ok' : 'degraded';
    return request.caller ? { status, services, models: this.models.read() } : { status };
  }

  #ask(service: string): Promise<ServiceHealth> {
    if (service === 'gateway') return this.checks.read();
    // Nobody could answer: whoever looks need not wait to be told so.
    if (!this.messenger.canAsk) return Promise.resolve(unknown(service, 'not known: Redis is down'));
    return this.messenger
      .ask(healthContract(service), {}, { timeoutMs: ASK_MS })
      .catch((error: Error) => unknown(service, error.message));
  }
}

/** What is said of a service that does not. */
function unknown(service: string, problem: string): ServiceHealth {
  return {
    service,
    ready: false,
    dependencies: { process: { up: false, problem, tookMs: null } },
    degraded: [],
  };
}
