import { describe, expect, it } from '@jest/globals';
import { InvalidRequests } from './invalid-requests.js';

const MESSAGES = 'https://discord.com/api/v10/channels/1/messages';

describe('invalid requests', () => {
  it('are not-founds as well, where an interaction is answered by its token', () => {
    const requests = new InvalidRequests(() => undefined);
    requests.note(404, MESSAGES);
    expect(requests.count).toBe(0);
    requests.note(404, 'https://discord.com/api/v10/webhooks/1/token/messages/@original');
    requests.note(404, 'http://127.0.0.1:4000/api/v10/interactions/1/token/callback?with_response=false');
    expect(requests.count).toBe(2);
  });

  it('stop everything at 500 in ten minutes, tell the operator at 100, and are forgotten after that time', () => {
    let now = 0;
    const told: number[] = [];
    const requests = new InvalidRequests(
      (count) => told.push(count),
      () => now,
    );
    for (let number = 0; number < 499; number++) requests.note(number % 2 === 0 ? 403 : 429, MESSAGES);
    requests.note(200, MESSAGES);
    requests.note(500, MESSAGES);
    expect(requests).toMatchObject({ count: 499, isTooMany: false });
    expect(told).toEqual([100]);
    requests.note(401, MESSAGES);
    expect(requests.isTooMany).toBe(true);
    now = 10 * 60_000 + 1;
    expect(requests).toMatchObject({ count: 0, isTooMany: false });
  });
});
