import { describe, expect, test } from '@jest/globals';
import { lazy } from './lazy.js';

describe('a module that is loaded when it is needed', () => {
  test('is loaded once, by the first who asks', async () => {
    let loaded = 0;
    const module = lazy('pictures', async () => ({ number: (loaded += 1) }));
    expect(loaded).toBe(0);
    expect(await Promise.all([module(), module()])).toEqual([{ number: 1 }, { number: 1 }]);
    expect(await module()).toEqual({ number: 1 });
  });

  test('says what can’t be done without it and why, and is tried again', async () => {
    let works = false;
    const module = lazy('pictures', async () => {
      if (!works) throw new Error("Cannot find package '@resvg/resvg-js'\nRequire stack: …");
      return 'drawn';
    });
    await expect(module()).rejects.toMatchObject({
      code: 'unavailable',
      message: "pictures can't be loaded: Cannot find package '@resvg/resvg-js'",
    });
    works = true;
    expect(await module()).toBe('drawn');
  });
});
