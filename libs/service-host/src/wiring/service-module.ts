import type { DynamicModule, Provider, Type } from '@nestjs/common';
import { provide, type Token } from './provide.js';
import { HOST, type Host } from './service-host.module.js';

interface Wiring<Parts> {
  /** Key under which the controllers find the parts. */
  key: Token<Parts>;
  make: (host: Host) => Parts | Promise<Parts>;
  controllers: Type[];
  /** Guards, interceptors and filters, which Nest asks for itself. */
  providers?: Provider[];
}

/** Work with the parts of a service as it starts and ends, each by the moment at which Nest has it done. */
interface Lifecycle {
  onModuleInit?(): unknown;
  onApplicationBootstrap?(): unknown;
  beforeApplicationShutdown?(): unknown;
  onApplicationShutdown?(): unknown;
}

/** Makes the module of a service, which has its parts made once, of what the host gives. */
export function serviceModule<Parts>(
  { key, make, controllers, providers = [] }: Wiring<Parts>,
  lifecycleOf: (parts: Parts) => Lifecycle,
): DynamicModule {
  const parts = provide(key, HOST, make);
  const lifecycle = provide(Symbol('lifecycle'), key, lifecycleOf);
  return { module: class {}, controllers, providers: [parts, ...providers, lifecycle] };
}
