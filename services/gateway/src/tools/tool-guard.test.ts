import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { AppError } from '@kith/contracts';
import { ToolGuard } from './tool-guard.js';

const never = new AbortController().signal;
let people = 0;
/** A call of a tool for somebody new, or for this person. */
const call = (name: string, signal = never, personId = `person ${String(people++)}`) => ({
  name,
  personId,
  signal,
});
const fail = () => Promise.reject(new Error('no'));

describe('the guard of a tool', () => {
  it('ends a call that takes too long', async () => {
    const guard = new ToolGuard(() => 0, 20);
    await expect(guard.run(call('a'), () => new Promise(() => undefined))).rejects.toThrow(/in time/);
  });

  it('leaves a tool that keeps failing alone for a minute, and others not', async () => {
    let now = 0;
    const guard = new ToolGuard(() => now);
    for (let n = 0; n < 5; n++) await expect(guard.run(call('a'), fail)).rejects.toThrow('no');
    await expect(guard.run(call('a'), async () => 1)).rejects.toThrow(/rests/);
    await expect(guard.run(call('b'), async () => 1)).resolves.toBe(1);
    now = 60_001;
    await expect(guard.run(call('a'), async () => 1)).resolves.toBe(1);
  });

  it('does not leave a tool alone for what it was given', async () => {
    const guard = new ToolGuard();
    const refuse = () => Promise.reject(new AppError('invalid_request', 'nonsense'));
    for (let n = 0; n < 6; n++) await expect(guard.run(call('a'), refuse)).rejects.toThrow('nonsense');
    await expect(guard.run(call('a'), async () => 1)).resolves.toBe(1);
  });

  it('does not leave a tool alone for turns that became pointless', async () => {
    const guard = new ToolGuard();
    for (let n = 0; n < 6; n++) {
      const turn = new AbortController();
      const ended = guard.run(call('a', turn.signal), () => new Promise(() => undefined));
      turn.abort();
      await expect(ended).rejects.toThrow(/in time/);
    }
    await expect(guard.run(call('a'), async () => 1)).resolves.toBe(1);
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
    const calls = Array.from({ length: 20 }, () => guard.run(call('a'), work));
    await expect(guard.run(call('a'), work)).rejects.toThrow(/busy/);
    await setImmediate();
    expect(begun).toBe(4);
    end();
    expect(await Promise.all(calls)).toEqual(calls.map(() => 1));
    await expect(guard.run(call('a'), async () => 1)).resolves.toBe(1);
  });

  it('lets nobody wait once their turn is pointless, and keeps no place for them', async () => {
    const guard = new ToolGuard();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const calls = Array.from({ length: 4 }, () => guard.run(call('a'), () => ended));
    const turn = new AbortController();
    const waiting = guard.run(call('a', turn.signal), async () => 1);
    turn.abort();
    await expect(waiting).rejects.toThrow(/in time/);
    end();
    await Promise.all(calls);
    const next = Array.from({ length: 20 }, () => guard.run(call('a'), async () => 1));
    expect(await Promise.all(next)).toHaveLength(20);
  });

  it('keeps places and waiting calls for others, however many calls one person makes', async () => {
    const guard = new ToolGuard();
    let end!: () => void;
    const ended = new Promise<void>((resolve) => (end = resolve));
    const begun: string[] = [];
    const begin = (personId: string) =>
      guard.run(call('a', never, personId), async () => {
        begun.push(personId);
        await ended;
      });
    const calls = Array.from({ length: 6 }, () => begin('ann'));
    await expect(begin('ann')).rejects.toThrow(/busy/);
    calls.push(begin('bob'), begin('cem'));
    await setImmediate();
    expect(begun).toEqual(['ann', 'ann', 'bob', 'cem']);
    end();
    await Promise.all(calls);
    expect(begun).toHaveLength(8);
  });
});
