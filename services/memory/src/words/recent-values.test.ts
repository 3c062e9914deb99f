import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentValues } from './recent-values.js';

const MINUTE_MS = 60_000;

describe('values that were used of late', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  const recentValues = () =>
    new RecentValues<number>({ holdMs: MINUTE_MS, maxSize: 10, sizeOf: (key) => key.length });

  it('are found by their key', () => {
    const recent = recentValues();
    expect(recent.get('tea')).toBeUndefined();
    expect(recent.put('tea', 0)).toBe(0);
    expect([recent.get('tea'), recent.get('Tea')]).toEqual([0, undefined]);
  });

  it('are held as long as they are asked for, and are gone after two times at most, with the timer', () => {
    const recent = recentValues();
    recent.put('tea', 1);
    recent.put('milk', 2);
    jest.advanceTimersByTime(1.5 * MINUTE_MS);
    expect(recent.get('tea')).toBe(1);
    jest.advanceTimersByTime(MINUTE_MS);
    expect([recent.get('tea'), recent.get('milk')]).toEqual([1, undefined]);
    jest.advanceTimersByTime(3 * MINUTE_MS);
    expect(recent.get('tea')).toBeUndefined();
    expect(jest.getTimerCount()).toBe(0);
  });

  it('make room for others, the ones asked for longest ago first', () => {
    const recent = recentValues();
    for (const key of ['aaaaa', 'bbbbb', 'ccccc']) recent.put(key, key.length);
    recent.get('aaaaa');
    recent.put('ddddd', 5);
    const held = ['aaaaa', 'bbbbb', 'ccccc', 'ddddd'].filter((key) => recent.get(key) !== undefined);
    expect(held).toEqual(['aaaaa', 'ccccc', 'ddddd']);
  });
});
