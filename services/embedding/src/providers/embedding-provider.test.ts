import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { EmbeddingSpace } from '@kith/contracts';
import { ModelError } from '@kith/llm';
import { ProviderState } from './provider-state.js';
import { spaceId } from './embedding-provider.js';
import { openAiCompatibleProvider } from './openai-compatible-provider.js';
import { readVectors } from './read-vectors.js';
import { toUnitLength } from '@kith/lexical-embedding';

describe('toUnitLength', () => {
  it('keeps the direction', () => {
    expect([...toUnitLength([3, 4])].map((value) => value.toFixed(2))).toEqual(['0.60', '0.80']);
  });

  it.each([[[0, 0]], [[Number.NaN, 1]], [[Number.POSITIVE_INFINITY, 1]]])('refuses %j', (vector) => {
    expect(() => toUnitLength(vector)).toThrow('no direction');
  });
});

describe('readVectors', () => {
  it('refuses fewer vectors than texts, and vectors of another length', () => {
    expect(() => readVectors([[1, 0]], 2, 2)).toThrow('1 vectors for 2 texts');
    expect(() => readVectors([[1, 0, 0]], 1, 2)).toThrow('set EMBEDDING_DIMENSIONS');
    expect(() => readVectors([undefined], 1, 2)).toThrow(ModelError);
    expect(() => readVectors([[0, 0]], 1, 2)).toThrow('without direction');
  });

  it.each([
    ['refused', [[0, 0]]],
    [
      'refused',
      [
        [0, 0],
        [1, 0],
      ],
    ],
    [
      'garbled',
      [
        [0, 0],
        [Number.NaN, 1],
      ],
    ],
  ])('takes vectors without direction for %s: %j', (kind, vectors) => {
    expect(() => readVectors(vectors, vectors.length, 2)).toThrow(expect.objectContaining({ kind }));
  });
});

describe('spaceId', () => {
  it('is fit for a collection name whatever the model is called', () => {
    const id = spaceId('openai', 'BAAI/bge-m3:latest', 1_024);
    expect(id).toBe('openai-baai-bge-m3-latest-1024');
    expect(EmbeddingSpace.shape.id.safeParse(id).success).toBe(true);
  });
});

describe('ProviderState', () => {
  it('shows the last failure until a call ends well', () => {
    const state = new ProviderState();
    state.record(new ModelError('unauthorized', 'answered 401'), 0);
    expect(state.problem).toBe('answered 401');
    state.record('ok', 1);
    expect(state.problem).toBeNull();
  });

  it('takes a refused text for a sign of health', () => {
    const state = new ProviderState();
    state.record(new ModelError('refused', 'answered 400'), 0);
    expect(state.problem).toBeNull();
  });

  it('is over when the provider answers again, which a hopeless one is seldom asked', async () => {
    const state = new ProviderState();
    let asked = 0;
    const ask = async () => void (asked += 1);
    await state.probe(ask, 0);
    expect(asked).toBe(0); // nothing is wrong
    state.record(new ModelError('spend-limit', 'answered 429'), 0);
    await expect(state.probe(ask, 10_000)).rejects.toThrow('answered 429');
    expect(asked).toBe(0);
    await state.probe(ask, 300_000);
    expect([asked, state.problem]).toEqual([1, null]);
    state.record(new ModelError('unreachable', 'no answer'), 0);
    const failing = () => Promise.reject(new ModelError('overloaded', 'answered 503'));
    await expect(state.probe(failing, 10_000)).rejects.toThrow('answered 503');
    expect(state.problem).toBe('answered 503');
  });
});

describe('openAiCompatibleProvider', () => {
  it('tells whoever embeds that its SDK can’t be loaded, and ends no process before', async () => {
    const provider = openAiCompatibleProvider({
      model: 'text-embedding-3-small',
      dimensions: 2,
      tryTimeoutMs: 1_000,
      maxCharacters: 10,
      apiKey: undefined,
      keySetting: 'EMBEDDING_API_KEY',
      // Read by what loads the SDK.
      get baseUrl(): string {
        throw new Error('not loaded');
      },
    });
    // A rejection that nobody handles would end the process by now.
    await setImmediate();
    await expect(provider.embed(['hello'], 'query')).rejects.toThrow('not loaded');
  });
});
