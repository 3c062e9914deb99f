import { describe, expect, it } from '@jest/globals';
import { InvalidRequests } from './invalid-requests.js';

/** Notes an answer with a status, for all or for what others share. */
function note(requests: InvalidRequests, status: number, url: string, scope?: string): void {
  const headers = new Headers(scope === undefined ? {} : { 'x-ratelimit-scope': scope });
  requests.note({ status, headers }, url);
}

const MESSAGES = 'https://discord.com/api/v10/channels/1/messages';

describe('invalid requests', () => {
  it('are not-founds as well, where an interaction is answered by its token', () => {
    const requests = new InvalidRequests(() => undefined);
    note(requests, 404, MESSAGES);
    expect(requests.count).toBe(0);
    note(requests, 404, 'https://discord.com/api/v10/webhooks/1/token/messages/@original');
    note(requests, 404, 'http://127.0.0.1:4000/api/v10/interactions/1/token/callback?with_response=false');
    expect(requests.count).toBe(2);
  });

  it('are no rate limits of what others share', () => {
    const requests = new InvalidRequests(() => undefined);
    note(requests, 429, MESSAGES, 'shared');
    note(requests, 429, MESSAGES, 'user');
    expect(requests.count).toBe(1);
  });

  it('stop everything at 500 in ten minutes, tell the operator at 100, and are forgotten after that time', () => {
    let now = 0;
    const told: number[] = [];
    const requests = new InvalidRequests(
      (count) => told.push(count),
      () => now,
    );
    for (let number = 0; number < 499; number++) note(requests, number % 2 === 0 ? 403 : 429, MESSAGES);
    note(requests, 200, MESSAGES);
    note(requests, 500, MESSAGES);
    expect(requests).toMatchObject({ count: 499, isTooMany: false });
    expect(told).toEqual([100]);
    note(requests, 401, MESSAGES);
    expect(requests.isTooMany).toBe(true);
    now = 10 * 60_000 + 1;
    expect(requests).toMatchObject({ count: 0, isTooMany: false });
  });
});
