import { z } from 'zod';
import { ServiceHealth } from '../rpc/health.contract.js';
import { get, type Routes } from './route.js';

export const SuiteHealth = z.object({
  status: z.enum(['ok', 'degraded']),
  services: z.array(ServiceHealth),
  models: z.object({
    chat: z.array(z.string()),
    fast: z.array(z.string()),
    rehearsal: z.boolean(),
    /** Sentences for the operator, such as a default model that was chosen anew. */
    notes: z.array(z.string()).default([]),
  }),
});
export type SuiteHealth = z.infer<typeof SuiteHealth>;

/** Health as anybody sees it without a key. */
export const SuiteStatus = z.strictObject(SuiteHealth.pick({ status: true }).shape);

export const healthRoutes = {
  show: get('/v1/health', 'no-key', {
    summary: 'Health of the suite; of each service with any key',
    answer: z.union([SuiteHealth, SuiteStatus]),
  }),
} satisfies Routes;
