import { Controller, Get, Inject, Module, Res, type DynamicModule, type Type } from '@nestjs/common';
import { healthContract } from '@kith/contracts';
import { Answers } from '@kith/messaging';
import type { Response } from 'express';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import { DegradedStates } from './degraded-states.js';
import { HealthChecks } from './health-checks.js';
import { LOGGER } from './logging.js';

/** Injection token of the service's Prometheus registry. */
export const METRICS = Symbol('METRICS');

@Controller()
class ProbeController {
  constructor(
    private readonly checks: HealthChecks,
    @Inject(METRICS) private readonly metrics: Registry,
  ) {}

  /** The process runs and its event loop turns. */
  @Get('health/live')
  live(): { status: string } {
    return { status: 'ok' };
  }

  /** 200 when every dependency answers, 503 and which does not otherwise. */
  @Get('health/ready')
  async ready(@Res() response: Response): Promise<void> {
    const health = await this.checks.read();
    response.status(health.ready ? 200 : 503).json(health);
  }

  @Get('metrics')
  async read(@Res() response: Response): Promise<void> {
    response.type(this.metrics.contentType).send(await this.metrics.metrics());
  }
}

/** Answers the suite's own question about this service's health, beside the HTTP probes. */
function healthController(service: string): Type {
  @Controller()
  class HealthController {
    constructor(readonly checks: HealthChecks) {}

    @Answers(healthContract(service))
    onHealth() {
      return this.checks.read();
    }
  }
  return HealthController;
}

/** What every service has: probes, metrics and a logger. */
@Module({})
export class ServiceHostModule {
  static with(
    service: string,
    parts: { logger: Logger; checks: HealthChecks; states: DegradedStates; metrics: Registry },
  ): DynamicModule {
    const { logger, checks, states, metrics } = parts;
    return {
      module: ServiceHostModule,
      global: true,
      controllers: [ProbeController, healthController(service)],
      providers: [
        { provide: HealthChecks, useValue: checks },
        { provide: DegradedStates, useValue: states },
        { provide: LOGGER, useValue: logger },
        { provide: METRICS, useValue: metrics },
      ],
      exports: [HealthChecks, DegradedStates, LOGGER, METRICS],
    };
  }
}
