import { describe, expect, it } from '@jest/globals';
import { ModelError } from '@kith/llm';
import type { CountedCall } from '@kith/service-host';
import type { EmbeddingProvider } from '../providers/embedding-provider.js';
import { lexicalProvider } from '../providers/lexical-provider.js';
import { countCalls } from './count-calls.js';

const provider = (embed: EmbeddingProvider['embed']): EmbeddingProvider => ({
  ...lexicalProvider(),
  charged: 'host:model',
  embed,
});

async function countedOf(embed: EmbeddingProvider['embed']): Promise<CountedCall[]> {
  const calls: CountedCall[] = [];
  await countCalls(provider(embed), (call) => calls.push(call))
    .embed(['some words to embed'], 'query')
    .catch(() => undefined);
  return calls;
}

describe('calls of an embedding provider', () => {
  it('are counted as their host counts, or as we estimate', async () => {
    const told = await countedOf(async (_texts, _purpose, onCounted) => {
      onCounted?.(7);
      return [];
    });
    expect(told).toMatchObject([
      { role: 'embedding', model: 'host:model', usage: { promptTokens: 7 }, usageIsEstimated: false },
    ]);
    const silent = await countedOf(async () => []);
    expect(silent).toMatchObject([{ usageIsEstimated: true }]);
    expect(silent[0]!.usage.promptTokens).toBeGreaterThan(2);
  });

  it('are counted when they took too long, and not when nobody took them up', async () => {
    const failing = (kind: 'timeout' | 'unauthorized') => () => Promise.reject(new ModelError(kind, 'no'));
    expect(await countedOf(failing('timeout'))).toHaveLength(1);
    expect(await countedOf(failing('unauthorized'))).toEqual([]);
  });

  it('are not counted where nobody charges for them', () => {
    const free = lexicalProvider();
    expect(countCalls(free, () => undefined)).toBe(free);
  });
});
