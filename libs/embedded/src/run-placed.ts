import { once } from 'node:events';
import { flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runService, runTogether, type PlacedService } from '@kith/service-host';
import type { PlacingOrder } from './services/service-process.js';
import type { ServiceName } from './settings/services.js';

// Usage: node libs/embedded/dist/run-placed.js PROGRAMS SERVICE…
// The process of one service, or of several. It loads them at once, and runs them when its supervisor says, over the
// channel it was started with, what would be each service's environment: loading goes on beside the stores' start.

/** Order of stopping: callers before the called, so that a service has its neighbours for as long as it needs them. */
const STEPS: readonly (readonly ServiceName[])[] = [
  ['discord-bot', 'proactive-scheduler'],
  ['gateway'],
  ['personality', 'memory'],
  ['embedding'],
];

/**
 * Growth of the heap, in percent of what lives in it, after which old garbage is looked for. Node's own rule lets it
 * treble, and on a machine with much memory gigabytes of garbage lie: a companion shares its machine. Where all services
 * are one process, the rule of six took a twentieth of its CPU and a tenth of its turns a second, and saved 20 MB.
 */
const HEAP_GROWTH = { apart: 25, together: 40 };

const ordered = once(process, 'message') as Promise<[PlacingOrder]>;
const [programs, ...names] = process.argv.slice(2) as [string, ...ServiceName[]];
const load = async (name: ServiceName): Promise<[ServiceName, PlacedService['definition']]> => {
  const path = join(programs, 'services', name, 'dist/service.js');
  return [name, ((await import(path)) as { service: PlacedService['definition'] }).service];
};
const definitions = new Map(await Promise.all(names.map(load)));
// What loading has compiled, and no more: the next start would hold what a long run has come to use. A killed process keeps none.
flushCompileCache();
// From here on: loading makes little garbage, and to look for it would be an eighth of a start's CPU.
setFlagsFromString(`--heap-growing-percent=${names.length > 1 ? HEAP_GROWTH.together : HEAP_GROWTH.apart}`);
const [order] = await ordered;
const placed = (name: ServiceName): PlacedService[] => {
  const definition = definitions.get(name);
  return definition ? [{ definition, environment: order[name] ?? {} }] : [];
};
const [alone, ...others] = names.flatMap(placed);
if (alone && others.length === 0) await runService(alone.definition, alone.environment);
else await runTogether(STEPS.map((step) => step.flatMap(placed)));
