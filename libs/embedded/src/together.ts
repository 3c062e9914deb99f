import { once } from 'node:events';
import { join } from 'node:path';
import { runTogether, type PlacedService } from '@kith/service-host';
import type { ServiceName } from './services.js';

// The process of all six services. Its supervisor sends it, over the channel it was started with, the checkout and what
// would be each service's environment.

/** What the supervisor says first. */
export interface PlacingOrder {
  readonly root: string;
  readonly environments: Readonly<Record<ServiceName, Readonly<Record<string, string>>>>;
}

/** Who asks goes before who is asked: at the end a service has its neighbours for as long as it needs them. */
const STEPS: readonly (readonly ServiceName[])[] = [
  ['discord-bot', 'proactive-scheduler'],
  ['gateway'],
  ['personality', 'memory'],
  ['embedding'],
];

const [order] = (await once(process, 'message')) as [PlacingOrder];
const placed = async (name: ServiceName): Promise<PlacedService> => {
  const path = join(order.root, 'services', name, 'dist/service.js');
  const { service } = (await import(path)) as { service: PlacedService['definition'] };
  return { definition: service, environment: order.environments[name] };
};
await runTogether(await Promise.all(STEPS.map((step) => Promise.all(step.map(placed)))));
