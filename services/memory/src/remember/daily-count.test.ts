import { expect, it } from '@jest/globals';
import { DailyCount } from './daily-count.js';

it('a day’s count begins with what there is, goes on by what is added, and is looked at anew', async () => {
  const count = new DailyCount();
  let kept = 5;
  const since: string[] = [];
  const at = (time: string) =>
    count.today('ann', new Date(time), (from) => {
      since.push(from.toISOString());
      return Promise.resolve(kept);
    });
  expect(await at('2026-05-01T10:00:00Z')).toBe(5);
  count.add('ann', 2);
  kept = 20;
  expect(await at('2026-05-01T10:00:10Z')).toBe(7);
  expect(await at('2026-05-01T10:00:40Z')).toBe(20);
  kept = 0;
  expect(await at('2026-05-02T00:00:01Z')).toBe(0);
  expect(since).toEqual(['2026-05-01T00:00:00.000Z', '2026-05-01T00:00:00.000Z', '2026-05-02T00:00:00.000Z']);
});
