import {
  Controller,
  Get,
  Req,
  Res,
  type DynamicModule,
  type FactoryProvider,
  type Type,
} from '@nestjs/common';
import { timingSafeEqual, hash } from 'node:crypto';
import { healthContract, PARENT_HEADER, type Problem } from '@kith/contracts';
import { Broadcasts, Handles, Messenger } from '@kith/messaging';
import type { Request, Response } from 'express';
import type { Logger } from 'pino';
import { type Registry, collectDefaultMetrics } from 'prom-client';
import type { DegradedStates } from '../health/degraded-states.js';
import type { HealthChecks } from '../health/health-checks.js';
import type { Token } from './provide.js';

/** Parts that a service has from its host: the first of which its others are made. */
export interface Host {
  messenger: Messenger;
  broadcasts: Broadcasts;
  checks: HealthChecks;
  states: DegradedStates;
  metrics: Registry;
  logger: Logger;
}
/** Key under which Nest keeps them. */
export const HOST: Token<Host> = Symbol('HOST');

const METRICS_CLOSED: Problem = {
  type: 'urn:kith:problem:unauthorized',
  title: 'The token of /metrics is needed',
  status: 401,
  detail: 'send METRICS_TOKEN as a bearer token',
  code: 'unauthorized',
};

/** Makes the controller that tells how a service is: over HTTP, and where the suite itself asks. */
export function probeController(
  service: string,
  { checks, metrics, metricsToken }: Pick<Host, 'checks' | 'metrics'> & { metricsToken: string | undefined },
): Type {
  let isCollecting = false;

  @Controller()
  class ProbeController {
    /** The process runs and its event loop turns. */
    @Get('health/live')
    live(): { status: string } {
      return { status: 'ok' };
    }

    /** 200 when every dependency answers, 503 and which does not otherwise. */
    @Get('health/ready')
    async ready(@Res() response: Response): Promise<void> {
      const health = await checks.read();
      response.setHeader(PARENT_HEADER, process.ppid);
      response.status(health.ready ? 200 : 503).json(health);
    }

    @Handles(healthContract(service))
    onHealth() {
      return checks.read();
    }

    /** Asks for the token: figures tell who talks when, and everybody on the machine reaches the port. */
    @Get('metrics')
    async read(@Req() request: Request, @Res() response: Response): Promise<void> {
      if (!isToken(request.header('authorization'), metricsToken)) {
        response.setHeader('WWW-Authenticate', 'Bearer realm="kith metrics"');
        response.status(401).type('application/problem+json').json(METRICS_CLOSED);
        return;
      }
      // Only from the first scrape on: sampling the event loop's lag wakes the process a hundred times a second.
      if (!isCollecting) collectDefaultMetrics({ register: metrics });
      isCollecting = true;
      await checks.read();
      response.type(metrics.contentType).send(await metrics.metrics());
    }
  }
  return ProbeController;
}

/** Compares with the token. Takes as long for a wrong one as for the right one. */
function isToken(authorization: string | undefined, token: string | undefined): boolean {
  const given = /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1];
  if (given === undefined || !token) return false;
  const digest = (text: string) => hash('sha256', text, 'buffer');
  return timingSafeEqual(digest(given), digest(token));
}

/**
 * Makes the module that has the parts of the host under one key, for all other modules.
 * @param given those that messaging does not provide
 */
export function hostModule(
  given: Omit<Host, 'messenger' | 'broadcasts'>,
  controllers: Type[] = [],
): DynamicModule {
  const host: FactoryProvider<Host> = {
    provide: HOST,
    inject: [Messenger, Broadcasts],
    useFactory: (messenger: Messenger, broadcasts: Broadcasts) => ({ messenger, broadcasts, ...given }),
  };
  return { module: class {}, global: true, controllers, providers: [host], exports: [HOST] };
}
