import { describe, expect, it } from '@jest/globals';
import { ToolGuard } from './tool-guard.js';

const never = new AbortController().signal;
const fail = () => Promise.reject(new Error('no'));

describe('the guard of a tool', () => {
  it('ends a call that takes too long', async () => {
    const guard = new ToolGuard(() => 0, 20);
    await expect(guard.run('a', never, () => new Promise(() => undefined))).rejects.toThrow(/in time/);
  });

  it('leaves a tool that keeps failing alone for a minute, and others not', async () => {
    let now = 0;
    const guard = new ToolGuard(() => now);
    for (let n = 0; n < 5; n++) await expect(guard.run('a', never, fail)).rejects.toThrow('no');
    await expect(guard.run('a', never, async () => 1)).rejects.toThrow(/rests/);
    await expect(guard.run('b', never, async () => 1)).resolves.toBe(1);
    now = 60_001;
    await expect(guard.run('a', never, async () => 1)).resolves.toBe(1);
  });

  it('takes four calls at once', async () => {
    const guard = new ToolGuard();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const calls = Array.from({ length: 4 }, () => guard.run('a', never, () => ended));
    await expect(guard.run('a', never, async () => 1)).rejects.toThrow(/busy/);
    end();
    await Promise.all(calls);
    await expect(guard.run('a', never, async () => 1)).resolves.toBe(1);
  });
});
