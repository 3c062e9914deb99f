import { describe, expect, it } from '@jest/globals';
import { Recovery } from './recovery.js';

/** Notes a success, and tells whether it was a recovery. */
function isRecovery(recovery: Recovery, now: number): boolean {
  const { next } = recovery;
  recovery.noteSuccess(now);
  return next.aborted;
}

describe('Recovery', () => {
  it('is the first success after a bug', () => {
    const recovery = new Recovery();
    expect(isRecovery(recovery, 0)).toBe(false);
    recovery.noteBug();
    expect(isRecovery(recovery, 1)).toBe(true);
    expect(isRecovery(recovery, 100_000)).toBe(false);
  });

  it('comes once a minute at most, and is not lost by that', () => {
    const recovery = new Recovery();
    recovery.noteBug();
    expect(isRecovery(recovery, 0)).toBe(true);
    recovery.noteBug();
    expect(isRecovery(recovery, 59_999)).toBe(false);
    expect(isRecovery(recovery, 60_000)).toBe(true);
  });
});
