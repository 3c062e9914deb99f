import { describe, expect, it } from '@jest/globals';
import { isForgotten } from './forgotten-time.js';

const on = (day: number) => new Date(Date.UTC(2026, 10, day));

describe('a forgotten time', () => {
  it('holds what was said in it, and nothing before or after it', () => {
    const order = { saidFrom: on(3), saidTo: on(5), at: on(20) };
    expect([2, 3, 4, 5, 6].map((day) => isForgotten(order, on(day)))).toEqual([
      false,
      true,
      true,
      false,
      false,
    ]);
  });

  it('holds nothing that was said after the order, however far it reaches', () => {
    const order = { saidFrom: on(3), saidTo: new Date('2199-12-31'), at: on(20) };
    expect([20, 21].map((day) => isForgotten(order, on(day)))).toEqual([true, false]);
  });

  it('is none where an order names no time', () => {
    expect(isForgotten({ saidFrom: null, saidTo: null, at: on(20) }, on(4))).toBe(false);
  });
});
