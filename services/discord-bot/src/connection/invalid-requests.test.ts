import { describe, expect, it } from '@jest/globals';
import { InvalidRequests } from './invalid-requests.js';

describe('invalid requests', () => {
  it('stop everything at 500 in ten minutes, tell the operator at 100, and are forgotten after that time', () => {
    let now = 0;
    const told: number[] = [];
    const requests = new InvalidRequests(
      (count) => told.push(count),
      () => now,
    );
    for (let number = 0; number < 499; number++) requests.note(number % 2 === 0 ? 403 : 429);
    requests.note(200);
    requests.note(500);
    expect(requests).toMatchObject({ count: 499, isTooMany: false });
    expect(told).toEqual([100]);
    requests.note(401);
    expect(requests.isTooMany).toBe(true);
    now = 10 * 60_000 + 1;
    expect(requests).toMatchObject({ count: 0, isTooMany: false });
  });
});
