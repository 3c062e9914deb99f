import { type JobContract, present } from '@kith/contracts';
import type {
  BeforeApplicationShutdown,
  OnApplicationBootstrap,
  OnApplicationShutdown,
} from '@nestjs/common';
import type { DiscoveryService } from '@nestjs/core';
import type { Redis } from 'ioredis';
import { closeConnection, openReader, openWorkerConnection } from '../redis/connection.js';
import { boundMethods } from './handles.js';
import type { MessagingLogger } from '../logger.js';
import { JobBell } from '../jobs/job-bell.js';
import { type JobHandler, JobRunner, type JobRunnerSettings } from '../jobs/job-runner.js';

/** Runs every `@Handles` method of the app's controllers, from bootstrap until shutdown. */
export class JobWorkers implements OnApplicationBootstrap, BeforeApplicationShutdown, OnApplicationShutdown {
  private connection: Redis | undefined;
  private bell: JobBell | undefined;
  private runner: JobRunner | undefined;

  constructor(
    private readonly discovery: DiscoveryService,
    private readonly options: JobRunnerSettings & { readonly redisUrl: string; readonly service: string },
    private readonly log: MessagingLogger,
  ) {}

  onApplicationBootstrap(): void {
    const handlers = this.findHandlers();
    if (handlers.length === 0) return;
    const { redisUrl, service } = this.options;
    this.connection = openWorkerConnection(redisUrl, `${service}-workers`, this.log);
    const reader = openReader(redisUrl, `${service}-job-reader`, this.log);
    this.bell = new JobBell(reader, this.connection, this.log);
    this.runner = new JobRunner(this.connection, this.bell, this.options, this.log);
    this.runner.start(handlers);
  }

  /** Before the transports close, so that a job in work can still ask others. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.runner?.close();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.bell?.close();
    if (this.connection) closeConnection(this.connection);
  }

  private findHandlers(): JobHandler[] {
    return this.discovery.getControllers().flatMap(({ instance }) => {
      const controller = instance as object | undefined;
      if (!controller) return [];
      return boundMethods(controller.constructor as unknown as { readonly prototype: object })
        .filter((bound): bound is { method: string; contract: JobContract } => bound.contract.kind === 'job')
        .map(({ method, contract }): JobHandler => {
          const methods = controller as Record<string, JobHandler['run']>;
          return { contract, run: (payload, run) => present(methods[method]).call(methods, payload, run) };
        });
    });
  }
}
