import { DAY_MS, TimeZone } from '@kith/contracts';
import { z } from 'zod';
import { namedValues } from './named-values.js';
import { defineSettings, setting } from './settings.js';

/** Schema of a time in milliseconds: a day at most, since a timer of more than 2^31 - 1 is over at once. */
export const milliseconds = (fallback: number, least = 1) =>
  z.coerce.number().int().min(least).max(DAY_MS).default(fallback);

/** Schema of days for which something is kept: a hundred years at most, since a date too far back is none to Postgres. */
export const days = (fallback: number, least = 0) =>
  z.coerce.number().int().min(least).max(36_500).default(fallback);

/** Schema of a host's address. Without it `localhost:11434` is a URL, whose protocol is `localhost`, and nothing answers there. */
export const httpAddress = z.url({
  protocol: /^https?$/,
  error: 'an address that begins with http:// or https://',
});

const optional = z.string().optional();

/** Settings of every service: its port, its Redis, its log. */
export function baseSettings(portVariable: string, defaultPort: number) {
  return defineSettings({
    http: {
      host: setting('HTTP_HOST', z.string().default('127.0.0.1')).is('address the services listen on'),
      port: setting(portVariable, z.coerce.number().int().min(1).max(65_535).default(defaultPort)).is(
        'port for health, metrics and (gateway) the API',
      ),
    },
    metrics: {
      token: setting('METRICS_TOKEN', optional).is(
        'bearer token that /metrics of every service asks for; made by scripts/up. Empty: /metrics is closed',
      ),
    },
    redis: {
      url: setting('REDIS_URL', z.url({ protocol: /^rediss?$/ })).is(
        'Redis, such as redis://:password@localhost:6379',
      ),
      keyPrefix: setting('REDIS_KEY_PREFIX', z.string().default('kith:')).is(
        'prefix of every key, to share a Redis',
      ),
    },
    log: {
      level: setting(
        'LOG_LEVEL',
        z.enum(['trace', 'debug', 'info', 'warn', 'error', 'silent']).default('info'),
      ).is('least level that is logged'),
    },
  });
}

/** Settings of Postgres, for the services that own tables. */
export function databaseSettings() {
  return defineSettings({
    url: setting('DATABASE_URL', z.url({ protocol: /^postgres(ql)?$/ })).is(
      'Postgres as the application role, such as postgres://kith_app:password@localhost:5432/kith',
    ),
    poolSize: setting('DATABASE_POOL_SIZE', z.coerce.number().int().min(5).max(100).default(10)).is(
      'connections to Postgres of each service, 5 at least; services of one process share theirs, 16 or as many as one has',
    ),
  });
}

/** Setting of the companion that answers where none is named. */
export function defaultCompanionSetting() {
  return setting('DEFAULT_COMPANION', z.string().default('mira')).is(
    'companion that answers where none is named',
  );
}

/** Setting of the zone that holds where none is named. */
export function timeZoneSetting() {
  return setting('KITH_TIME_ZONE', TimeZone.default('UTC')).is(
    'zone of companions whose persona names none, and of people who have not named theirs; TZ has no effect',
  );
}

/** Settings of the language models, for every service that calls one; `createModelRoles` takes them as they are. */
export function modelSettings() {
  const host = (name: string, what: string, baseUrl: string) =>
    defineSettings({
      apiKey: setting(`${name}_API_KEY`, optional).is(`key of ${what}`),
      baseUrl: setting(`${name}_BASE_URL`, httpAddress.default(baseUrl)).is(`where ${what} is reached`),
    });
  return defineSettings({
    chatModels: setting('CHAT_MODELS', z.string().default('')).is(
      'chat models in order of preference, as provider:model, comma-separated; empty: by the keys that are set',
    ),
    fastModels: setting('FAST_MODELS', z.string().default('')).is(
      'the same for small jobs such as appraisal',
    ),
    tryTimeoutMs: setting('MODEL_TRY_TIMEOUT_MS', milliseconds(60_000)).is('longest a single try may take'),
    firstTokenTimeoutMs: setting('MODEL_FIRST_TOKEN_TIMEOUT_MS', milliseconds(20_000)).is(
      'longest wait for a first token, be it of an answer, a thought or a call',
    ),
    budgetMs: setting('MODEL_BUDGET_MS', milliseconds(90_000)).is(
      'longest a turn waits for all tries together',
    ),
    maxTries: setting('MODEL_MAX_TRIES', z.coerce.number().int().positive().default(6)).is(
      'most tries of all models together, for one answer',
    ),
    maxTokens: setting('MODEL_MAX_TOKENS', z.coerce.number().int().positive().default(200_000)).is(
      'most tokens that the tries for one answer may cost together',
    ),
    cards: setting('MODEL_CARDS', z.string().default('')).is(
      'what models hold and cost where the catalogue is wrong, as JSON: {"compatible:llama3:8b":{"contextTokens":32768}}',
    ),
    hooksDirectory: setting('HOOKS_DIR', optional).is(
      'folder with hooks of your own (*.mjs), which run on turns and on calls of models; by default none, with Compose the folder hooks',
    ),
    chutes: host('CHUTES', 'Chutes', 'https://llm.chutes.ai/v1'),
    openai: {
      ...host('OPENAI', 'OpenAI', 'https://api.openai.com/v1'),
      api: setting('OPENAI_API', z.enum(['chat', 'responses']).default('chat')).is(
        'API that OpenAI is asked over: chat (completions), or responses, its newer one',
      ),
    },
    anthropic: host('ANTHROPIC', 'Anthropic', 'https://api.anthropic.com'),
    groq: host('GROQ', 'Groq', 'https://api.groq.com'),
    gemini: host('GEMINI', 'Google Gemini', 'https://generativelanguage.googleapis.com'),
    ollama: {
      apiKey: setting('OLLAMA_API_KEY', optional).is(
        'key of an Ollama that asks for one, such as ollama.com',
      ),
      baseUrl: setting('OLLAMA_BASE_URL', httpAddress.optional()).is(
        'where an Ollama is reached, such as http://localhost:11434; with Compose by the address of its machine, since localhost is the container',
      ),
      contextTokens: setting('OLLAMA_CONTEXT_TOKENS', z.coerce.number().int().min(2_048).default(8_192)).is(
        'context that Ollama loads its models with; more takes more of its memory',
      ),
    },
    compatible: {
      apiKey: setting('COMPATIBLE_API_KEY', optional).is('key of any other OpenAI-compatible host'),
      baseUrl: setting('COMPATIBLE_BASE_URL', httpAddress.optional()).is(
        'where that host is reached, such as http://localhost:8000/v1; with Compose not as localhost, which is the container',
      ),
      hosts: setting('COMPATIBLE_HOSTS', namedValues(httpAddress).default({})).is(
        'more such hosts by names of your own, such as lab=http://10.0.0.5:8000/v1,cloud=https://llm.example/v1',
      ),
      keys: setting('COMPATIBLE_KEYS', namedValues(z.string().min(1)).default({})).is(
        'keys of those hosts by the same names, such as cloud=sk-…',
      ),
    },
  });
}
