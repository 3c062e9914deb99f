import { describe, expect, it } from '@jest/globals';
import { DiscordAPIError, HTTPError, RateLimitError } from 'discord.js';
import { causeOf, classifyFailure } from './classify-failure.js';

const SECRET = 'what the reply said';

function apiError(status: number, code: number, message = 'No'): DiscordAPIError {
  const body = { files: undefined, body: { content: SECRET } };
  return new DiscordAPIError({ code, message }, code, status, 'POST', 'https://discord.invalid', body);
}

describe('classifyFailure', () => {
  it.each([
    [403, 50007, 'direct messages are closed to the bot'],
    [403, 50278, 'only while it shares a server with them'],
  ])('takes %i/%i for a person who cannot be reached, and says how they can', (status, code, how) => {
    const reason = expect.stringContaining(how);
    const failure = { kind: 'failed', unreachable: 'person', reason };
    expect(classifyFailure(apiError(status, code))).toMatchObject(failure);
  });

  it.each([
    [403, 50013],
    [403, 50001],
    [404, 10003],
  ])('takes %i/%i for a place that cannot be written in', (status, code) => {
    expect(classifyFailure(apiError(status, code))).toMatchObject({ kind: 'failed', unreachable: 'place' });
  });

  it('gives up on a message that is refused without calling anybody unreachable', () => {
    expect(classifyFailure(apiError(400, 50035))).toMatchObject({ kind: 'failed', unreachable: null });
  });

  it('gives up for now, and blames nobody, where the bot opened too many DMs at once', () => {
    const outcome = { kind: 'failed', unreachable: null, passes: true };
    expect(classifyFailure(apiError(400, 40003))).toMatchObject(outcome);
    expect(causeOf(apiError(400, 40003))).toBe('other');
  });

  it.each([429, 500, 502, 503, 401])('tries %i again', (status) => {
    expect(classifyFailure(apiError(status, 0)).kind).toBe('retry');
  });

  it('tries again when Discord is out of reach', () => {
    const reset = Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    expect(classifyFailure(reset)).toEqual({
      kind: 'retry',
      reason: 'Discord is out of reach: Error ECONNRESET',
    });
    const body = { files: undefined, body: {} };
    expect(classifyFailure(new HTTPError(502, 'Bad Gateway', 'POST', 'https://x', body)).kind).toBe('retry');
    expect(classifyFailure(new HTTPError(404, 'Not Found', 'POST', 'https://x', body)).kind).toBe('retry');
    for (const name of ['AbortError', 'TimeoutError'])
      expect(classifyFailure(new DOMException('aborted', name))).toEqual({
        kind: 'retry',
        reason: 'Discord took too long',
      });
  });

  it('waits as long as Discord wants', () => {
    const limit = new RateLimitError({
      global: false,
      hash: 'a',
      limit: 5,
      majorParameter: '1',
      method: 'POST',
      retryAfter: 42_000,
      route: '/channels/:id/messages',
      scope: 'shared',
      sublimitTimeout: 0,
      timeToReset: 42_000,
      url: 'https://discord.invalid',
    });
    expect(classifyFailure(limit)).toMatchObject({ kind: 'retry', waitMs: 42_000 });
  });

  it('never tells what the message said, but what to do about the refusal', () => {
    const { reason } = classifyFailure(apiError(403, 50013, 'Missing Permissions'));
    expect(reason).toMatch(/^Discord 403\/50013: Missing Permissions; the bot may not write there: give it /);
    expect(reason).not.toContain(SECRET);
  });
});
