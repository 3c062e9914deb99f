import { Controller, Get, Inject, Module, Req, Res, type DynamicModule, type Type } from '@nestjs/common';
import { createHash, timingSafeEqual } from 'node:crypto';
import { healthContract, PARENT_HEADER, type Problem } from '@kith/contracts';
import { Handles } from '@kith/messaging';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { Registry, collectDefaultMetrics } from 'prom-client';
import { DegradedStates } from './degraded-states.js';
import { HealthChecks } from './health-checks.js';
import { LOGGER } from './logging.js';
import { type Token, value } from './provide.js';

/** Injection token of the service's Prometheus registry. */
export const METRICS: Token<Registry> = Symbol('METRICS');

const METRICS_TOKEN: Token<string | null> = Symbol('METRICS_TOKEN');

const METRICS_CLOSED: Problem = {
  type: 'urn:kith:problem:unauthorized',
  title: 'The token of /metrics is needed',
  status: 401,
  detail: 'send METRICS_TOKEN as a bearer token',
  code: 'unauthorized',
};

@Controller()
class ProbeController {
  private isCollecting = false;

  constructor(
    private readonly checks: HealthChecks,
    @Inject(METRICS) private readonly metrics: Registry,
    @Inject(METRICS_TOKEN) private readonly token: string | null,
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
    response.setHeader(PARENT_HEADER, process.ppid);
    response.status(health.ready ? 200 : 503).json(health);
  }

  /** Asks for the token: figures tell who talks when, and everybody on the machine reaches the port. */
  @Get('metrics')
  async read(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (!isToken(request.header('authorization'), this.token)) {
      response.setHeader('WWW-Authenticate', 'Bearer realm="kith metrics"');
      response.status(401).type('application/problem+json').json(METRICS_CLOSED);
      return;
    }
    // Only from the first scrape on: sampling the event loop's lag wakes the process a hundred times a second.
    if (!this.isCollecting) collectDefaultMetrics({ register: this.metrics });
    this.isCollecting = true;
    await this.checks.read();
    response.type(this.metrics.contentType).send(await this.metrics.metrics());
  }
}

/** Compares with the token. Takes as long for a wrong one as for the right one. */
function isToken(authorization: string | undefined, token: string | null): boolean {
  const given = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined || token === null) return false;
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(given), digest(token));
}

/** Answers the suite's own question about this service's health, beside the HTTP probes. */
function healthController(service: string): Type {
  @Controller()
  class HealthController {
    constructor(readonly checks: HealthChecks) {}

    @Handles(healthContract(service))
    onHealth() {
      return this.checks.read();
    }
  }
  return HealthController;
}

/** Parts of every service: probes, metrics and a logger. */
@Module({})
export class ServiceHostModule {
  static with(
    service: string,
    parts: {
      logger: Logger;
      checks: HealthChecks;
      states: DegradedStates;
      metrics: Registry;
      metricsToken: string | undefined;
    },
  ): DynamicModule {
    const { logger, checks, states, metrics, metricsToken } = parts;
    return {
      module: ServiceHostModule,
      global: true,
      controllers: [ProbeController, healthController(service)],
      providers: [
        value(checks),
        value(states),
        value(logger, LOGGER),
        value(metrics, METRICS),
        value(metricsToken || null, METRICS_TOKEN),
      ],
      exports: [HealthChecks, DegradedStates, LOGGER, METRICS],
    };
  }
}
