import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { RecentTexts } from './recent-texts.js';

const MINUTE_MS = 60_000;

describe('what was made of texts a moment ago', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function counted() {
    const made: string[] = [];
    const recent = new RecentTexts((text) => {
      made.push(text);
      return text.length;
    });
    return { made, recent };
  }

  it('is made once', () => {
    const { made, recent } = counted();
    expect([recent.of('tea'), recent.of('tea'), recent.of('coffee')]).toEqual([3, 3, 6]);
    expect(made).toEqual(['tea', 'coffee']);
  });

  it('is gone two minutes after it was last asked for', () => {
    const { made, recent } = counted();
    recent.of('tea');
    jest.advanceTimersByTime(1.5 * MINUTE_MS);
    recent.of('tea');
    expect(made).toEqual(['tea']);
    jest.advanceTimersByTime(2 * MINUTE_MS);
    recent.of('tea');
    expect(made).toEqual(['tea', 'tea']);
    jest.advanceTimersByTime(3 * MINUTE_MS);
    expect(jest.getTimerCount()).toBe(0);
  });

  it('is let go of where there is much of it', () => {
    const { made, recent } = counted();
    const texts = Array.from({ length: 200 }, (_, n) => String(n).padEnd(10_000));
    for (const text of texts) recent.of(text);
    recent.of(texts[0]!);
    recent.of(texts.at(-1)!);
    expect(made).toHaveLength(201);
  });
});
