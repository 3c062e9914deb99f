import { describe, expect, it } from '@jest/globals';
import { explainFailure } from './api-client.js';

describe('a failed request', () => {
  it('does not say that nothing answers when the answer is late', () => {
    const late = new DOMException('', 'TimeoutError');
    for (const kind of ['unreachable', 'broken-off'] as const)
      expect(explainFailure({ kind, cause: late })).toMatchObject({
        ...{ status: 0, message: 'No answer came in time. It may still be done.' },
      });
    expect(explainFailure({ kind: 'unreachable', cause: new TypeError('fetch failed') }).message).toBe(
      'Nothing answers at this address.',
    );
  });
});
