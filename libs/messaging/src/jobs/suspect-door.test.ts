import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { SuspectDoor } from './suspect-door.js';

/** A suspect that notes whether another went in beside it. */
class Noting {
  readonly aloneForMs = 1_000;
  readonly patienceMs = 1_000;
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
    const door = new SuspectDoor();
    const [first, next] = [new Noting(), new Noting()];
    expect(await door.enter(first)).toBe('in');
    expect(await door.enter(next)).toBe('occupied');
    door.leave(next);
    expect(await door.enter(next)).toBe('occupied');
    door.leave(first);
    expect(await door.enter(next)).toBe('in');
    expect(first.isOvertaken).toBe(false);
  });

  it('tells one that takes long before the next goes in', async () => {
    const door = new SuspectDoor();
    const [first, next] = [new Noting(), new Noting()];
    await door.enter(first);
    jest.advanceTimersByTime(900);
    // It begins with another piece.
    expect(await door.enter(first)).toBe('in');
    jest.advanceTimersByTime(900);
    expect(await door.enter(next)).toBe('occupied');
    jest.advanceTimersByTime(100);
    expect(await door.enter(next)).toBe('in');
    expect(first.isOvertaken).toBe(true);
    expect(await door.enter(first)).toBe('occupied');
    jest.advanceTimersByTime(1_000);
    expect(await door.enter(first)).toBe('in');
    expect(next.isOvertaken).toBe(true);
  });

  it('has one of many pieces go out between two of them where another waits', async () => {
    const door = new SuspectDoor();
    const [first, next] = [new Noting(), new Noting()];
    await door.enter(first);
    for (let piece = 0; piece < 5; piece += 1) {
      jest.advanceTimersByTime(900);
      expect(await door.enter(first)).toBe('in');
    }
    expect(await door.enter(next)).toBe('occupied');
    expect(await door.enter(first)).toBe('occupied');
    expect(first.isOvertaken).toBe(true);
    expect(await door.enter(next)).toBe('in');
  });

  it('tells the one inside again where that could not be told', async () => {
    const door = new SuspectDoor();
    const next = new Noting();
    let told = 0;
    const first = {
      aloneForMs: 1_000,
      patienceMs: 1_000,
      overtaken: () => {
        told += 1;
        return told === 1 ? Promise.reject(new Error('Redis is away')) : Promise.resolve();
      },
    };
    await door.enter(first);
    jest.advanceTimersByTime(1_000);
    await expect(door.enter(next)).rejects.toThrow('Redis is away');
    expect(await door.enter(next)).toBe('in');
    expect(told).toBe(2);
  });

  it('keeps other jobs from one that is inside, until it has left', async () => {
    const door = new SuspectDoor();
    const [suspect, other] = [new Noting(), {}];
    await door.enter(suspect);
    expect(await door.admit(other)).toBe(false);
    door.leave(suspect);
    expect(await door.admit(other)).toBe(true);
    expect(suspect.isOvertaken).toBe(false);
  });

  it('lets no one in beside other jobs, and holds further ones back for it', async () => {
    const door = new SuspectDoor();
    const [suspect, other, further] = [new Noting(), {}, {}];
    await door.admit(other);
    expect(await door.enter(suspect)).toBe('accompanied');
    expect(await door.admit(further)).toBe(false);
    door.leave(other);
    expect(await door.enter(suspect)).toBe('in');
    expect(suspect.isOvertaken).toBe(false);
  });

  it('holds other jobs back for a moment only, where the suspect does not come again', async () => {
    const door = new SuspectDoor();
    await door.admit({});
    await door.enter(new Noting());
    jest.advanceTimersByTime(700);
    expect(await door.admit({})).toBe(true);
  });

  it('tells one whose company, or that itself, takes long', async () => {
    const door = new SuspectDoor();
    const [first, next, other] = [new Noting(), new Noting(), {}];
    await door.enter(first);
    jest.advanceTimersByTime(1_000);
    expect(await door.admit(other)).toBe(true);
    expect(first.isOvertaken).toBe(true);
    expect(await door.enter(next)).toBe('accompanied');
    jest.advanceTimersByTime(1_000);
    expect(await door.enter(next)).toBe('in');
    expect(next.isOvertaken).toBe(true);
  });
});
