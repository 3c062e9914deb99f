import { defineRequest } from './define.js';
import { ServiceHealth } from './http-api.js';
import { z } from 'zod';

/** Services of the suite, in the order they are shown. */
export const SERVICES = [
  'gateway',
  'embedding',
  'personality',
  'memory',
  'proactive-scheduler',
  'discord-bot',
] as const;

/** "How are you?", asked of one service. A service that does not answer in time is down. */
export function healthContract(service: string) {
  return defineRequest(`${service}.health`, {
    request: z.object({}),
    response: ServiceHealth,
    timeoutMs: 2_500,
  });
}
