import {
  healthContract,
  healthRoutes,
  SERVICES,
  type ServiceHealth,
  type SuiteHealth,
} from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { serveRoutes } from './serve-routes.js';

/** Time for a service to answer, which gives each of its dependencies 1.5 s. */
const ASK_MS = 2_000;

export const HealthController = serveRoutes(healthRoutes, ({ messenger, checks, models }) => ({
  /** Without a key only whether all is well; with one, every service and what it lacks. */
  show: async ({ caller }) => {
    const own = checks.read();
    const services = await Promise.all(SERVICES.map((service) => healthOf(service, messenger, own)));
    const isWell = services.every(({ ready, degraded }) => ready && degraded.length === 0);
    const status: SuiteHealth['status'] = isWell ? 'ok' : 'degraded';
    return caller ? { status, services, models: models.speaking } : { status };
  },
}));

function healthOf(service: string, messenger: Messenger, own: Promise<ServiceHealth>) {
  if (service === 'gateway') return own;
  // Without Redis nobody could answer, so there is nothing to wait for.
  if (!messenger.canAsk) return Promise.resolve(unknown(service, 'redis', 'not known: Redis is down'));
  return messenger.ask(healthContract(service), {}, { timeoutMs: ASK_MS }).catch(async (error: unknown) => {
    // Where Redis hands on no question, nobody can answer.
    const { redis } = (await own).dependencies;
    return redis?.problem
      ? unknown(service, 'redis', `not known: ${redis.problem}`)
      : unknown(service, 'process', (error as Error).message);
  });
}

/** Makes the health of a service that gives no answer, and what it is that gives none. */
function unknown(service: string, what: 'process' | 'redis', problem: string): ServiceHealth {
  return {
    service,
    ready: false,
    dependencies: { [what]: { up: false, problem, tookMs: null } },
    degraded: [],
  };
}
