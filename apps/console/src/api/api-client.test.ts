import { describe, expect, it } from '@jest/globals';
import { explainFailure } from './api-client.js';

describe('a failed request', () => {
  it('does not say that nothing answers when the answer is late', () => {
    const cause = new DOMException('', 'TimeoutError');
    const late = { kind: 'timed-out', timeoutMs: 30_000, cause } as const;
    expect(explainFailure(late, 'PUT')).toMatchObject({
      ...{ status: 0, message: 'No answer came in time. It may still be done.' },
    });
    expect(explainFailure(late, 'GET').message).toBe('No answer came in time.');
    expect(explainFailure({ kind: 'unreachable', cause: new TypeError('fetch failed') }, 'GET').message).toBe(
      'Nothing answers at this address.',
    );
  });
});
