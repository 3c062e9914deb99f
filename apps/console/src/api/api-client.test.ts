import { describe, expect, it } from '@jest/globals';
import { explainFailure } from './api-client.js';

describe('a failed request', () => {
  it('does not say that nothing answers when the answer is late', () => {
    const cause = new DOMException('', 'TimeoutError');
    const late = { kind: 'timed-out', timeoutMs: 30_000, cause } as const;
    expect(explainFailure(late, 'PUT')).toMatchObject({
      status: 0,
      message: 'No answer came in time. It may still be done.',
    });
    expect(explainFailure(late, 'GET').message).toBe('No answer came in time.');
    expect(explainFailure({ kind: 'unreachable', cause: new TypeError('fetch failed') }, 'GET').message).toBe(
      'Nothing answers at this address.',
    );
  });

  it('keeps the receipt of what goes on by itself', () => {
    const receipt = '71f70a96-8f50-4c4e-8f20-ac1d28bf4523';
    const problem = {
      type: 'urn:x',
      title: 'x',
      status: 503,
      detail: 'it is noted',
      code: 'unavailable',
      receipt,
    };
    expect(explainFailure({ kind: 'refused', status: 503, problem }, 'POST')).toMatchObject({
      status: 503,
      message: 'it is noted',
      receipt,
    });
  });
});
