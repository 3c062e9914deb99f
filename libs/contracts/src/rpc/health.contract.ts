import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineRequest } from './define.js';

/** Services of the suite, in the order they are shown. */
export const SERVICES = [
  'gateway',
  'embedding',
  'personality',
  'memory',
  'proactive-scheduler',
  'discord-bot',
] as const;

/** Health of a service, by its own word: ready, and if not, which dependency is down. */
export const ServiceHealth = z.object({
  service: z.string(),
  ready: z.boolean(),
  dependencies: z.record(
    z.string(),
    z.object({ up: z.boolean(), problem: z.string().nullable(), tookMs: z.number().nullable() }),
  ),
  /** Parts it does without although it goes on, and the effect on people. */
  degraded: z.array(z.object({ part: z.string(), effect: z.string(), since: IsoTime })).default([]),
});
export type ServiceHealth = z.infer<typeof ServiceHealth>;

/** Header of the readiness probe: id of the process that started the service, which tells suites of one machine apart. */
export const PARENT_HEADER = 'x-kith-parent';

/** Asks one service how it is. A service that does not answer in time is down. */
export function healthContract(service: string) {
  return defineRequest(`${service}.health`, {
    request: z.object({}),
    response: ServiceHealth,
    timeoutMs: 2_500,
  });
}
