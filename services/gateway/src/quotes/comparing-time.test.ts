import { expect, it } from '@jest/globals';
import type { Tx } from '@kith/database';
import { ComparingTime, comparingTimeOf } from './comparing-time.js';

it('has run out only for who had something left to compare', () => {
  expect(new ComparingTime(60_000).isOver()).toBe(false);
  const time = new ComparingTime(0);
  expect(time.ranOut).toBe(false);
  expect(time.isOver()).toBe(true);
  expect(time.ranOut).toBe(true);
});

it('is one for a whole transaction', () => {
  const [one, other] = [{} as Tx, {} as Tx];
  expect(comparingTimeOf(one)).toBe(comparingTimeOf(one));
  expect(comparingTimeOf(other)).not.toBe(comparingTimeOf(one));
});
