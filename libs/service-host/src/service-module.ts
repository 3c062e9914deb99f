import type { DynamicModule } from '@nestjs/common';
import { provide, type Keys, type MadeFrom, type NamedKeys } from './provide.js';

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
