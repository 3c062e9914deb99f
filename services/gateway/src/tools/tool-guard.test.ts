import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
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

  it('does not leave a tool alone for what it was given', async () => {
    const guard = new ToolGuard();
    const refuse = () => Promise.reject(new AppError('invalid_request', 'nonsense'));
    for (let n = 0; n < 6; n++) await expect(guard.run('a', never, refuse)).rejects.toThrow('nonsense');
    await expect(guard.run('a', never, async () => 1)).resolves.toBe(1);
  });

  it('takes four calls at once, has as many wait as may talk at once, and refuses a flood', async () => {
    const guard = new ToolGuard();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    let begun = 0;
    const work = async () => {
      begun += 1;
      await ended;
      return 1;
    };
    const calls = Array.from({ length: 20 }, () => guard.run('a', never, work));
    await expect(guard.run('a', never, work)).rejects.toThrow(/busy/);
    expect(begun).toBe(4);
    end();
    expect(await Promise.all(calls)).toEqual(calls.map(() => 1));
    await expect(guard.run('a', never, async () => 1)).resolves.toBe(1);
  });

  it('lets nobody wait once their turn is pointless, and keeps no place for them', async () => {
    const guard = new ToolGuard();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const calls = Array.from({ length: 4 }, () => guard.run('a', never, () => ended));
    const turn = new AbortController();
    const waiting = guard.run('a', turn.signal, async () => 1);
    turn.abort();
    await expect(waiting).rejects.toThrow(/in time/);
    end();
    await Promise.all(calls);
    const next = Array.from({ length: 20 }, () => guard.run('a', never, async () => 1));
    expect(await Promise.all(next)).toHaveLength(20);
  });
});
