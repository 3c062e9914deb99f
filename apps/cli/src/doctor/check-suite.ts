import {
  companionRoutes,
  healthRoutes,
  isWellFormedApiKey,
  meRoutes,
  type RouteClient,
  type ServiceHealth,
  type SuiteHealth,
} from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { KeyRefused, openApi, PartDown } from '../suite/api-client.js';
import type { CliConfig } from '../suite/config.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';
import { broken, off, ok, reasonOf, type Finding } from './finding.js';

/** Fixes for a dependency that a service says it lacks, by its name. */
const MENDS: Record<string, string> = {
  process: 'it does not run or hangs: ./scripts/status, then ./scripts/logs {service}',
  redis: 'start Redis (./scripts/up does), check REDIS_URL; where its disk is full, free some',
  postgres: 'start Postgres (./scripts/up does), check DATABASE_URL',
  transport: 'it is starting, or can not reach Redis: wait, then ./scripts/logs {service}',
  index: 'start Qdrant or check QDRANT_URL and QDRANT_API_KEY; VECTOR_INDEX=exact does without',
  'persona-files': 'mend the file in the companions folder; it is read again within seconds',
  'index-refilled': 'it is filling by itself: kith memories reindex shows how far it is',
  'chat-model':
    'check the keys, quotas and names in CHAT_MODELS; kith turn list --outcome apologised says more',
  'fast-model': 'check the keys, quotas and names in FAST_MODELS',
  spend: 'raise DAILY_TOKENS, or wait for midnight UTC',
  'thoughts-key':
    'put the THOUGHTS_KEY of before back into .env, then ./scripts/down and ./scripts/up; one that you replaced is told of until the first start after another thought',
  gemini: 'check GEMINI_API_KEY and its quota; EMBEDDING_PROVIDER=lexical does without',
  openai: 'check EMBEDDING_API_KEY, EMBEDDING_BASE_URL and EMBEDDING_MODEL',
  discord: 'check DISCORD_TOKEN and restart after a change; ./scripts/logs discord-bot says more',
};

/** Checks the suite through the gateway: that it answers, the key, every service, the default companion, the models. */
export async function checkSuite(config: CliConfig, terminal: Terminal): Promise<Finding[]> {
  // No request is made with a key of another form; the gateway tells of itself without one.
  const usable = config.key && isWellFormedApiKey(config.key) ? config.key : undefined;
  const api = openApi(() => ({ ...config, key: usable }), terminal);
  const health = await tryIt(() => api.call(healthRoutes.show));
  // A gateway that refuses the key has answered.
  const answered = !(health instanceof CliError) || health instanceof KeyRefused;
  if (!answered) {
    const mend = './scripts/up starts the suite; ./scripts/status shows what runs';
    return [broken('Kith', health.message, mend)];
  }
  const door = ok('Kith', config.url);
  const key = await checkKey(config, api);
  if (key.state !== 'ok') return [door, key];
  if (health instanceof CliError || !('services' in health)) {
    const detail = health instanceof CliError ? health.message : 'the gateway tells nothing of them';
    return [door, key, broken('services', detail, './scripts/logs gateway')];
  }
  const services = health.services.map(serviceFinding);
  return [door, key, ...services, ...(await checkCompanion(api, health)), modelsFinding(health)];
}

/** Checks that the companion that answers where none is named is there and not paused: nobody in Discord names one. */
async function checkCompanion(api: RouteClient, { services }: SuiteHealth): Promise<Finding[]> {
  const list = await tryIt(() => api.call(companionRoutes.list));
  // The line of the service that knows them says why they can't be listed.
  if (list instanceof PartDown) return [];
  const name = 'companion';
  if (list instanceof CliError) return [broken(name, list.message, './scripts/logs gateway')];
  const { companions, defaultCompanion } = list;
  const found = companions.find(({ id }) => id === defaultCompanion);
  if (found?.pausedSince) {
    const detail = `${found.id} is paused since ${minuteOf(found.pausedSince)} (UTC): it answers nobody`;
    return [off(name, detail, `kith companion resume ${found.id}`)];
  }
  if (found) return [ok(name, found.id)];
  const detail = `DEFAULT_COMPANION is ${defaultCompanion}, which is not there: whoever names no companion gets no answer`;
  const known = companions.map(({ id }) => id).join(', ');
  const another = `set it in .env to one of ${known}, then ./scripts/down and ./scripts/up`;
  // A file that is left out may be this companion's.
  const isOneLeftOut = services.some(({ degraded }) => degraded.some(({ part }) => part === 'persona-files'));
  const mend = isOneLeftOut ? `mend the broken file first; if it is of another, ${another}` : another;
  return [broken(name, detail, mend)];
}

async function checkKey({ key }: CliConfig, api: RouteClient): Promise<Finding> {
  const name = 'API key';
  const fromUp = './scripts/up writes KITH_KEY to .env for its own suite; for another give --key';
  if (!key) return broken(name, 'none is set', fromUp);
  if (!isWellFormedApiKey(key))
    return broken(name, 'cut or mistyped', 'copy the whole key, kth_ and 49 characters');
  const me = await tryIt(() => api.call(meRoutes.show));
  const another =
    'set KITH_KEY to a valid key; where none is left, empty it in .env, then ./scripts/down and ./scripts/up, which makes one';
  if (me instanceof CliError) return broken(name, me.message, another);
  return ok(name, `${me.displayName}: ${me.scopes.join(', ')}`);
}

/** One service's line: ready, or the dependency it lacks. */
export function serviceFinding({ service, ready, dependencies, degraded }: ServiceHealth): Finding {
  const all = Object.entries(dependencies);
  const down = all.filter(([, { up }]) => !up);
  if (ready && degraded.length === 0) return ok(service, all.map(([name]) => name).join(', '));
  const without = ready ? degraded.map(({ effect, since }) => `${effect} (since ${since})`) : [];
  const problems = down.map(([name, { problem }]) => `${name}: ${problem ?? 'down'}`);
  const cause = down[0]?.[0] ?? (ready ? degraded[0]?.part : undefined) ?? 'process';
  const mend = MENDS[cause] ?? './scripts/logs {service} says why';
  const detail = [...without, ...problems].join('; ') || 'not ready';
  return broken(service, detail, mend.replaceAll('{service}', service));
}

/** Reports the models that the suite says it asks; which keys are set tells nothing for sure. */
export function modelsFinding({ models }: SuiteHealth): Finding {
  if (!models.rehearsal) return ok('chat model', [models.chat.join(' → '), ...models.notes].join('; '));
  const detail = 'none is set: the offline rehearsal answers, from templates and what it remembers';
  const mend = 'put a model key into .env, such as CHUTES_API_KEY, then ./scripts/down and ./scripts/up';
  return off('chat model', detail, mend);
}

async function tryIt<T>(ask: () => Promise<T>): Promise<T | CliError> {
  try {
    return await ask();
  } catch (error) {
    return error instanceof CliError ? error : new CliError(reasonOf(error));
  }
}
