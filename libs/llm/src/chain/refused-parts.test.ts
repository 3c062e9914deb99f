import { describe, expect, it } from '@jest/globals';
import { UNKNOWN_MODEL } from '../budget/card-catalogue.js';
import { ModelError, type ModelTry } from '../errors/model-error.js';
import type { ModelRequest } from '../provider.js';
import { RefusedParts } from './refused-parts.js';

describe('two requests that are under way at once, and refused for the same', () => {
  const refusal = (message: string) => new ModelError('invalid-request', 'refused', { cause: { message } });
  const tries = (): ModelTry[] => [{ model: 'lab:one', kind: 'invalid-request', tookMs: 9 }];

  it.each<[string, Partial<ModelRequest>, Partial<ModelRequest>]>([
    [
      'Conversation roles must alternate user/assistant',
      {},
      { messages: [{ role: 'user', content: expect.anything() as never }] },
    ],
    [
      "Invalid schema for function 'pad__find'",
      { tools: ['own', 'pad__find'].map((name) => ({ name, description: '', parameters: {} })) },
      { tools: [{ name: 'own', description: '', parameters: {} }] },
    ],
  ])('are both asked anew, with all that was not: %s', (words, more, asked) => {
    const refused = new RefusedParts({ of: () => UNKNOWN_MODEL });
    const messages = [
      { role: 'user', content: 'Notes.' },
      { role: 'user', content: 'Hello' },
    ] as const;
    const both = [1, 2].map(() => refused.without('lab:one', { messages, ...more }));
    for (const request of both)
      expect(refused.lesser(request, 'lab:one', refusal(words), tries())).toMatchObject(asked);
  });
});
