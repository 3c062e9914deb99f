import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { CountedCall } from '@kith/service-host';
import { ScriptedModel } from '@kith/testing';
import { startEmbeddingHost, type EmbeddingHost } from '../e2e/embedding-host.js';
import { countCalls } from '../embed/count-calls.js';
import { geminiProvider } from './gemini-provider.js';
import { listOpenAiModels, openAiCompatibleProvider } from './openai-compatible-provider.js';
import type { EmbeddingProvider } from './embedding-provider.js';

const DIMENSIONS = 8;
const TEXTS = ['first text', 'second, longer text', 'third'];

let host: EmbeddingHost;
beforeAll(async () => void (host = await startEmbeddingHost(DIMENSIONS)));
afterAll(() => host.stop());
beforeEach(() => host.reset());

const common = { apiKey: 'secret', dimensions: DIMENSIONS, maxCharacters: 8_000, tryTimeoutMs: 5_000 };
/** For a host that never answers. */
const IMPATIENT = { tryTimeoutMs: 300 };
const gemini = (model = 'gemini-embedding-001', over: Partial<typeof common> = {}) =>
  geminiProvider({ ...common, ...over, model, baseUrl: host.url });
const openai = (model = 'text-embedding-3-small', over: Partial<typeof common> = {}) =>
  openAiCompatibleProvider({
    keySetting: 'EMBEDDING_API_KEY',
    ...common,
    ...over,
    model,
    baseUrl: `${host.url}/v1`,
  });

describe.each<[string, (over?: Partial<typeof common>) => EmbeddingProvider]>([
  ['gemini', (over) => gemini(undefined, over)],
  ['openai-compatible', (over) => openai(undefined, over)],
])('%s', (_, make) => {
  it('answers one unit-length vector per text, in order, from one call', async () => {
    const vectors = await make().embed(TEXTS, 'document');
    const alone = await Promise.all(TEXTS.map((text) => make().embed([text], 'document')));
    expect(vectors).toEqual(alone.flat());
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
    expect(host.calls[0]!.texts).toEqual(TEXTS);
  });

  it.each([
    [{ status: 401, body: { error: { message: 'bad key' } } }, 'unauthorized', undefined],
    [{ status: 404, body: { error: { message: 'no such model' } } }, 'no-such-model', undefined],
    [{ status: 429, headers: { 'retry-after': '7' }, body: { error: {} } }, 'rate-limited', 7_000],
    [
      { status: 429, body: { error: { code: 'insufficient_quota', message: 'insufficient_quota' } } },
      'spend-limit',
      undefined,
    ],
    [{ status: 503, body: { error: {} } }, 'overloaded', undefined],
    [{ status: 400, body: { error: { message: 'too long' } } }, 'invalid-request', undefined],
    ['cut', 'unreachable', undefined],
    ['hang', 'timeout', undefined],
    ['stall', 'timeout', undefined],
  ] as const)('reads %j as %s', async (answer, kind, retryAfterMs) => {
    host.script.push(answer);
    await expect(make(kind === 'timeout' ? IMPATIENT : {}).embed(['text'], 'query')).rejects.toMatchObject({
      name: 'ModelError',
      kind,
      retryAfterMs,
    });
    expect(host.calls).toHaveLength(1);
  });

  it('is counted where it stalls', async () => {
    const calls: CountedCall[] = [];
    host.script.push('stall');
    const counted = countCalls(make(IMPATIENT), (call) => calls.push(call));
    await expect(counted.embed(['some words'], 'query')).rejects.toMatchObject({ kind: 'timeout' });
    expect(calls).toMatchObject([{ usageIsEstimated: true }]);
  });

  it('refuses an answer with fewer vectors than texts', async () => {
    host.judge = ({ texts }) => ({
      status: 200,
      body: {
        embeddings: [{ values: [1, 0, 0, 0, 0, 0, 0, 0] }],
        data: [{ index: 0, object: 'embedding', embedding: [1, 0, 0, 0, 0, 0, 0, 0] }],
        count: texts.length,
      },
    });
    await expect(make().embed(['a', 'b'], 'query')).rejects.toMatchObject({ kind: 'garbled' });
  });

  it.each([
    { hello: 'world' },
    [],
    { data: [null], embeddings: [null] },
    {
      data: [{ index: 0, embedding: [1, null, 0, 0, 0, 0, 0, 0] }],
      embeddings: [{ values: [1, null, 0, 0, 0, 0, 0, 0] }],
    },
  ])('refuses an answer that is no embedding: %j', async (body) => {
    host.script.push({ status: 200, body });
    await expect(make().embed(['a'], 'query')).rejects.toMatchObject({ kind: 'garbled' });
  });
});

describe('gemini', () => {
  it('sends each text as a content of its own, its task type, and the length', async () => {
    await gemini().embed(TEXTS, 'query');
    await gemini().embed(['x'], 'document');
    const [query, document] = host.calls.map(({ body }) => body['requests'] as Record<string, unknown>[]);
    expect(query).toHaveLength(TEXTS.length);
    expect(query![0]).toMatchObject({ taskType: 'RETRIEVAL_QUERY', outputDimensionality: DIMENSIONS });
    expect(document![0]).toMatchObject({ taskType: 'RETRIEVAL_DOCUMENT' });
    expect(host.calls[0]!.path).toContain('/models/gemini-embedding-001:batchEmbedContents');
    expect(host.calls[0]!.headers['x-goog-api-key']).toBe('secret');
  });

  it('does not let newer models merge the texts into one vector', async () => {
    expect(await gemini('gemini-embedding-2').embed(TEXTS, 'document')).toHaveLength(TEXTS.length);
    expect(host.calls[0]!.texts).toEqual(TEXTS.map((text) => `title: none | text: ${text}`));
  });

  it('tells newer models the purpose before the text, where they take no task type', async () => {
    await gemini('gemini-embedding-2').embed(['where is it?'], 'query');
    const [request] = host.calls[0]!.body['requests'] as Record<string, unknown>[];
    expect(host.calls[0]!.texts).toEqual(['task: search result | query: where is it?']);
    expect(request).not.toHaveProperty('taskType');
  });

  it('reads the wait that Google writes into the body', async () => {
    const details = [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: '3s' }];
    host.script.push({ status: 429, body: { error: { code: 429, message: 'slow down', details } } });
    await expect(gemini().embed(['a'], 'query')).rejects.toMatchObject({
      kind: 'rate-limited',
      retryAfterMs: 3_000,
    });
  });

  it('knows a bad key by its 400', async () => {
    host.script.push({ status: 400, body: { error: { code: 400, message: 'API key not valid.' } } });
    await expect(gemini().embed(['a'], 'query')).rejects.toMatchObject({ kind: 'unauthorized' });
  });
});

describe('openai-compatible', () => {
  it('asks for floats, and for a length only of models that can be shortened', async () => {
    await openai().embed(['a'], 'query');
    await openai('bge-m3').embed(['a'], 'query');
    expect(host.calls[0]!.body).toMatchObject({ encoding_format: 'float', dimensions: DIMENSIONS });
    expect(host.calls[1]!.body).not.toHaveProperty('dimensions');
    expect(host.calls[0]!.path).toBe('/v1/embeddings');
    expect(host.calls[0]!.headers.authorization).toBe('Bearer secret');
  });

  it('lists the models of Ollama also without their tag', async () => {
    const ollama = await ScriptedModel.start();
    ollama.offer([{ id: 'nomic-embed-text:latest' }, { id: 'bge-m3:567m' }]);
    const host = { apiKey: undefined, baseUrl: `${ollama.url}/v1` };
    const listed = await listOpenAiModels({ ...host, timeoutMs: 5_000 });
    await ollama.stop();
    expect(listed).toEqual(['nomic-embed-text:latest', 'nomic-embed-text', 'bge-m3:567m']);
  });

  it.each([
    ['the first', (index: number) => index === 0],
    ['each', () => true],
  ])('takes vectors in their order where the index of %s is left out', async (_, isLeftOut) => {
    const embedding = (one: number) => Array.from({ length: DIMENSIONS }, (_, at) => (at === one ? 1 : 0));
    const data = [0, 1, 2].map((n) => ({ ...(!isLeftOut(n) && { index: n }), embedding: embedding(n) }));
    host.script.push({ status: 200, body: { data } });
    const vectors = await openai().embed(TEXTS, 'document');
    expect(vectors.map((vector) => vector.indexOf(1))).toEqual([0, 1, 2]);
  });

  it('tells what to set when the model answers another length', async () => {
    host.script.push({
      status: 200,
      body: { data: [{ index: 0, object: 'embedding', embedding: [1, 0, 0] }] },
    });
    await expect(openai().embed(['a'], 'query')).rejects.toThrow(/3 numbers.*set EMBEDDING_DIMENSIONS/);
  });
});
