import { describe, expect, it } from '@jest/globals';
import { lexicalProvider } from './lexical-provider.js';

describe('the offline embedder', () => {
  it('reads a long text within its bounds and calls its space lexical', async () => {
    const provider = lexicalProvider();
    const [long, cut] = await provider.embed(['word '.repeat(6_000), 'word '.repeat(1_600)], 'document');
    expect(long).toEqual(cut);
    expect(provider.space).toEqual({ id: 'lexical-v2-356', dimensions: 356, kind: 'lexical' });
  });
});
