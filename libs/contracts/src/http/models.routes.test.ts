import { describe, expect, it } from '@jest/globals';
import { ModelTestRequest } from './models.routes.js';

describe('a test of models', () => {
  it('names a model of a role that asks several, and none of the embedding role', () => {
    expect(ModelTestRequest.parse({ model: 'openai:gpt-4.1' }).role).toBe('chat');
    expect(ModelTestRequest.parse({ role: 'embedding' }).model).toBeUndefined();
    expect(ModelTestRequest.safeParse({ role: 'embedding', model: 'openai:small' }).error?.issues).toEqual([
      expect.objectContaining({ path: ['model'] }),
    ]);
  });
});
