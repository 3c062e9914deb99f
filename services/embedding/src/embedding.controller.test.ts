import { expect, it } from '@jest/globals';
import { decodeVector, embeddingContract } from '@kith/contracts';
import { assertOneHandler } from '@kith/messaging';
import { readSettings, SettingsError } from '@kith/service-host/settings';
import { settings } from './config.js';
import { chooseProviders } from './choice/choose-providers.js';
import { Embedder } from './embed/embedder.js';
import { Embedders } from './embed/embedders.js';
import { lexicalProvider } from './providers/lexical-provider.js';
import { EmbeddingController } from './embedding.controller.js';

/** A port that nothing listens on: the host's list can't be had. */
const NOWHERE = 'http://127.0.0.1:1';
const noCache = { read: async () => [], write: async () => undefined, close: async () => undefined };
const memory = {
  kept: { read: async () => null, keep: async (_: string, model: string) => model },
  warn: () => undefined,
};
const silent = { served: () => undefined, called: () => undefined };

it('handles each of its requests exactly once', () => {
  expect(() => assertOneHandler(embeddingContract, [EmbeddingController])).not.toThrow();
});

it('answers what the contract promises, through JSON and back', async () => {
  const embedders = new Embedders(new Embedder(lexicalProvider(), noCache, silent), null);
  const controller = new EmbeddingController({ embedders });
  const embed = Reflect.get(controller, 'embed') as (request: object) => Promise<unknown>;
  const answer: unknown = JSON.parse(
    JSON.stringify(await embed.call(controller, { texts: ['one', 'two'], purpose: 'document' })),
  );
  const { space, vectors } = embeddingContract.embed.response.parse(answer);
  expect(vectors.map((vector) => decodeVector(vector).length)).toEqual([space.dimensions, space.dimensions]);
});

it.each([
  [{}, 'lexical-v2-356'],
  [{ GEMINI_API_KEY: 'k', GEMINI_BASE_URL: NOWHERE }, 'gemini-gemini-embedding-001-1536'],
  [{ EMBEDDING_API_KEY: 'k', EMBEDDING_BASE_URL: NOWHERE }, 'openai-text-embedding-3-small-1536'],
  [
    { GEMINI_API_KEY: 'k', GEMINI_BASE_URL: NOWHERE, EMBEDDING_API_KEY: 'k' },
    'gemini-gemini-embedding-001-1536',
  ],
  [{ GEMINI_API_KEY: 'k', EMBEDDING_PROVIDER: 'lexical' }, 'lexical-v2-356'],
  [
    {
      EMBEDDING_BASE_URL: 'http://localhost:11434/v1',
      EMBEDDING_MODEL: 'bge-m3',
      EMBEDDING_DIMENSIONS: '1024',
    },
    'openai-bge-m3-1024',
  ],
])('chooses the provider by its settings: %j', async (environment, space) => {
  const config = readSettings(settings, { REDIS_URL: 'redis://localhost', ...environment });
  expect((await chooseProviders(config, memory)).current.space.id).toBe(space);
});

it.each([
  ['gemini', 'set GEMINI_API_KEY'],
  ['openai', 'set EMBEDDING_API_KEY'],
  ['local:all-MiniLM-L6-v2', 'run "kith models pull all-MiniLM-L6-v2", or copy'],
  ['local:../../etc', '"../../etc" is not the name of a local model'],
])('does not start as %s without what that needs', async (provider, message) => {
  const start = (name: string) => {
    const environment = {
      [name]: provider,
      REDIS_URL: 'redis://localhost',
      EMBEDDING_MODELS_DIR: '/nowhere',
    };
    return chooseProviders(readSettings(settings, environment), memory);
  };
  await expect(start('EMBEDDING_PROVIDER')).rejects.toThrow(message);
  await expect(start('EMBEDDING_PROVIDER')).rejects.toThrow(SettingsError);
  await expect(start('EMBEDDING_NEXT_PROVIDER')).rejects.toThrow(
    message.replace('EMBEDDING_', 'EMBEDDING_NEXT_'),
  );
});

it('embeds into the space that is asked for, and into its own for one that nobody embeds into', async () => {
  const { current, next } = await chooseProviders(
    readSettings(settings, {
      REDIS_URL: 'redis://localhost',
      EMBEDDING_PROVIDER: 'lexical',
      EMBEDDING_NEXT_PROVIDER: 'openai',
      EMBEDDING_NEXT_BASE_URL: 'http://localhost:11434/v1',
      EMBEDDING_NEXT_MODEL: 'bge-m3',
      EMBEDDING_NEXT_DIMENSIONS: '1024',
    }),
    memory,
  );
  const of = (provider: typeof current) => new Embedder(provider, noCache, silent);
  const embedders = new Embedders(of(current), of(next!));
  expect([embedders.current.space, embedders.next!.space]).toMatchObject([
    { id: 'lexical-v2-356' },
    { id: 'openai-bge-m3-1024', dimensions: 1024 },
  ]);
  expect(next!.keySetting).toBe('EMBEDDING_NEXT_API_KEY');
  expect(embedders.of('openai-bge-m3-1024').space.id).toBe('openai-bge-m3-1024');
  expect(embedders.of('gone').space.id).toBe('lexical-v2-356');
  expect(embedders.of(undefined).space.id).toBe('lexical-v2-356');
});
