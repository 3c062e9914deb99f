import { MAX_DIMENSIONS } from '@kith/contracts';
import { DEFAULT_MODELS_DIRECTORY } from '@kith/local-models';
import { baseSettings, httpAddress, milliseconds, modelSettings } from '@kith/service-host/common-settings';
import { defineSettings, setting, type SettingsOf } from '@kith/service-host/settings';
import { z } from 'zod';

/** `local:` and the name of a folder with an encoder. */
const LocalModel = z.templateLiteral(['local:', z.string().min(1)]);

export const settings = defineSettings({
  ...baseSettings('EMBEDDING_PORT', 3001),
  embedding: {
    provider: setting(
      'EMBEDDING_PROVIDER',
      z.union([z.enum(['auto', 'gemini', 'openai', 'lexical']), LocalModel]).default('auto'),
    ).is(
      'who embeds: auto takes gemini or openai by the keys that are set, else the offline lexical embedder; local:NAME an encoder on this machine, such as local:all-MiniLM-L6-v2 (kith models pull NAME fetches it)',
    ),
    apiKey: setting('EMBEDDING_API_KEY', z.string().optional()).is(
      'key of the OpenAI-compatible embedding host',
    ),
    baseUrl: setting('EMBEDDING_BASE_URL', httpAddress.optional()).is(
      'where that host is reached; OpenAI when only its key is set',
    ),
    model: setting('EMBEDDING_MODEL', z.string().optional()).is(
      'embedding model; when empty gemini-embedding-001 or text-embedding-3-small, or what took their place at the first start',
    ),
    dimensions: setting(
      'EMBEDDING_DIMENSIONS',
      z.coerce.number().int().min(2).max(MAX_DIMENSIONS).default(1_536),
    ).is('length of the vectors that model answers'),
    next: {
      provider: setting(
        'EMBEDDING_NEXT_PROVIDER',
        z.union([z.enum(['gemini', 'openai', 'lexical']), LocalModel]).optional(),
      ).is('who is to embed from now on: memories are embedded anew beside, then recall switches by itself'),
      apiKey: setting('EMBEDDING_NEXT_API_KEY', z.string().optional()).is('key of that host'),
      baseUrl: setting('EMBEDDING_NEXT_BASE_URL', httpAddress.optional()).is('where that host is reached'),
      model: setting('EMBEDDING_NEXT_MODEL', z.string().optional()).is('its model'),
      dimensions: setting(
        'EMBEDDING_NEXT_DIMENSIONS',
        z.coerce.number().int().min(2).max(MAX_DIMENSIONS).default(1_536),
      ).is('length of the vectors that model answers'),
    },
    local: {
      directory: setting('EMBEDDING_MODELS_DIR', z.string().default(DEFAULT_MODELS_DIRECTORY)).is(
        'folder with the encoders of local:NAME, each in a folder of its name; from the checkout on',
      ),
      threads: setting('EMBEDDING_LOCAL_THREADS', z.coerce.number().int().min(1).max(64).default(2)).is(
        'cores that an encoder on this machine may take at once',
      ),
    },
    maxCharacters: setting(
      'EMBEDDING_MAX_CHARACTERS',
      z.coerce.number().int().min(100).max(32_000).default(8_000),
    ).is('longest text sent to a model; the rest is cut off'),
    tryTimeoutMs: setting('EMBEDDING_TRY_TIMEOUT_MS', milliseconds(4_000, 50)).is(
      'longest a single call of an embedding host may take',
    ),
    cacheDays: setting('EMBEDDING_CACHE_DAYS', z.coerce.number().positive().max(365).default(30)).is(
      'days a vector stays in the cache',
    ),
  },
  gemini: modelSettings().gemini,
});

export type Config = SettingsOf<typeof settings>;
