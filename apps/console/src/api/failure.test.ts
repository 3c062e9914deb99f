import { describe, expect, it } from '@jest/globals';
import { ApiError } from './api-client.js';
import { failureAfter, failureOf, failureWords, type FailedWork } from './failure.js';

describe('a failure', () => {
  it.each([0, 429, 500, 503])('of status %i may be tried again', (status) => {
    expect(failureOf(new ApiError(status, 'Not now.'))).toEqual({ words: 'Not now.', mayPass: true });
  });

  it.each([400, 403, 404, 409])('of status %i may not', (status) => {
    expect(failureOf(new ApiError(status, 'No.'))).toEqual({ words: 'No.', mayPass: false });
  });

  it('stays until its own subject succeeds, where it may be tried again', () => {
    const failed: FailedWork = {
      ...failureOf(new ApiError(503, 'Not now.')),
      subject: 'one',
      work: () => Promise.resolve(),
    };
    expect(failureAfter(failed, 'other')).toBe(failed);
    expect(failureAfter(failed, 'one')).toBeNull();
    expect(failureAfter({ ...failed, mayPass: false }, 'other')).toBeNull();
  });

  it('says that what is shown may have changed, where it could not be read again', () => {
    expect(failureWords('too many requests', false)).toBe('too many requests');
    expect(failureWords('too many requests', true)).toBe(
      'Too many requests. What is shown here was read before that, and may have changed since.',
    );
  });
});
