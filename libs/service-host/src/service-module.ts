import type { DynamicModule } from '@nestjs/common';
import { Broadcasts, Messenger } from '@kith/messaging';
import { DegradedStates } from './degraded-states.js';
import { HealthChecks } from './health-checks.js';
import { LOGGER } from './logging.js';
import { provide, type Keys, type MadeFrom, type NamedKeys } from './provide.js';
import { METRICS } from './service-host.module.js';

/** Keys of the parts that the host of a service gives to it. */
export const HOST = {
  messenger: Messenger,
  broadcasts: Broadcasts,
  checks: HealthChecks,
  states: DegradedStates,
  metrics: METRICS,
  logger: LOGGER,
};
/** Parts that the host of a service gives to it: the first of which its others are made. */
export type Host = MadeFrom<typeof HOST>[0];

/** Work with the parts of a service as it starts and ends, each by the moment at which Nest has it done. */
interface Lifecycle {
  onModuleInit?(): unknown;
  onApplicationBootstrap?(): unknown;
  beforeApplicationShutdown?(): unknown;
  onApplicationShutdown?(): unknown;
}

/**
 * Makes the module of a service.
 * @param from keys of the parts that its lifecycle works with
 */
export function serviceModule<const From extends Keys | NamedKeys>(
  { controllers, providers }: Required<Pick<DynamicModule, 'controllers' | 'providers'>>,
  from: From,
  lifecycleOf: (...parts: MadeFrom<From>) => Lifecycle,
): DynamicModule {
  const lifecycle = provide(Symbol('lifecycle'), from, lifecycleOf);
  return { module: class {}, controllers, providers: [...providers, lifecycle] };
}
