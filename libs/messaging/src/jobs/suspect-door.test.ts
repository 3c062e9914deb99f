import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SuspectDoor } from './suspect-door.js';

/** A suspect that notes whether another went in beside it. */
class Noting {
  isOvertaken = false;

  overtaken(): Promise<void> {
    this.isOvertaken = true;
    return Promise.resolve();
  }
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('SuspectDoor', () => {
  it('lets one in at a time, and the next when that has left', async () => {
    const door = new SuspectDoor(1_000);
    const [first, next] = [new Noting(), new Noting()];
    expect(await door.enter(first)).toBe(true);
    expect(await door.enter(next)).toBe(false);
    door.leave(next);
    expect(await door.enter(next)).toBe(false);
    door.leave(first);
    expect(await door.enter(next)).toBe(true);
    expect(first.isOvertaken).toBe(false);
  });

  it('tells one that takes long before the next goes in', async () => {
    const door = new SuspectDoor(1_000);
    const [first, next] = [new Noting(), new Noting()];
    await door.enter(first);
    jest.advanceTimersByTime(900);
    // It begins with another piece.
    expect(await door.enter(first)).toBe(true);
    jest.advanceTimersByTime(900);
    expect(await door.enter(next)).toBe(false);
    jest.advanceTimersByTime(100);
    expect(await door.enter(next)).toBe(true);
    expect(first.isOvertaken).toBe(true);
    expect(await door.enter(first)).toBe(false);
    jest.advanceTimersByTime(1_000);
    expect(await door.enter(first)).toBe(true);
    expect(next.isOvertaken).toBe(true);
  });

  it('has one of many pieces go out between two of them where another waits', async () => {
    const door = new SuspectDoor(1_000);
    const [first, next] = [new Noting(), new Noting()];
    await door.enter(first);
    for (let piece = 0; piece < 5; piece += 1) {
      jest.advanceTimersByTime(900);
      expect(await door.enter(first)).toBe(true);
    }
    expect(await door.enter(next)).toBe(false);
    expect(await door.enter(first)).toBe(false);
    expect(first.isOvertaken).toBe(true);
    expect(await door.enter(next)).toBe(true);
  });

  it('tells the one inside again where that could not be told', async () => {
    const door = new SuspectDoor(1_000);
    const next = new Noting();
    let told = 0;
    const first = {
      overtaken: () => {
        told += 1;
        return told === 1 ? Promise.reject(new Error('Redis is away')) : Promise.resolve();
      },
    };
    await door.enter(first);
    jest.advanceTimersByTime(1_000);
    await expect(door.enter(next)).rejects.toThrow('Redis is away');
    expect(await door.enter(next)).toBe(true);
    expect(told).toBe(2);
  });
});
