import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MAX_TURNS_IN_JOB, memoryContract } from '@kith/contracts';
import { pino } from 'pino';
import { answered } from '../e2e/talk.js';
import type { Claim } from '../inbox/claim.js';
import { FollowUps } from './follow-ups.js';

const claim = { kind: 'direct', burst: [{ origin: 'message', door: 'http' }] } as unknown as Claim;

/** Records how many turns were to be remembered at once. A job ends when it is told to. */
function recording() {
  const batches: number[] = [];
  let isBusy = false;
  const ends: (() => void)[] = [];
  const followUps = new FollowUps(
    {
      canOrder: true,
      announce: async () => undefined,
      handOver: async ({ pattern }: { pattern: string }, { turnIds }: { turnIds: string[] }) => {
        if (pattern !== memoryContract.remember.pattern) return { ended: Promise.resolve() };
        batches.push(turnIds.length);
        return { ended: new Promise<void>((resolve) => ends.push(resolve)) };
      },
    } as never,
    pino({ level: 'silent' }),
    { eventLoopUtilization: () => ({ idle: 0, active: 0, utilization: isBusy ? 0.9 : 0.1 }) },
  );
  const end = (turns: number) => {
    for (let n = 0; n < turns; n += 1)
      void followUps.queue(claim, { ...answered(), turnId: randomUUID() }, null);
  };
  const finishJobs = () => ends.splice(0).forEach((finish) => finish());
  return {
    batches,
    end,
    finishJobs,
    setBusy: (is: boolean) => (isBusy = is),
    drain: () => followUps.drain(),
  };
}

describe('what follows turns', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is ordered together, shortly after the first of them', async () => {
    const { batches, end } = recording();
    end(1);
    await jest.advanceTimersByTimeAsync(200);
    end(1);
    expect(batches).toEqual([]);
    await jest.advanceTimersByTimeAsync(250);
    expect(batches).toEqual([2]);
  });

  it('is gathered for longer where turns come one after the other, and no longer once they don’t', async () => {
    const { batches, end, finishJobs } = recording();
    const after = async (ms: number) => {
      await jest.advanceTimersByTimeAsync(ms);
      finishJobs();
      await jest.advanceTimersByTimeAsync(0);
    };
    end(3);
    await after(450);
    end(1);
    await after(450);
    expect(batches).toEqual([3]);
    await after(1_600);
    expect(batches).toEqual([3, 1]);
    end(1);
    await after(450);
    expect(batches).toEqual([3, 1, 1]);
  });

  it('waits while the process is busy, and not for ever', async () => {
    const { batches, end, setBusy, finishJobs } = recording();
    setBusy(true);
    end(1);
    await jest.advanceTimersByTimeAsync(1_000);
    expect(batches).toEqual([]);
    setBusy(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(batches).toEqual([1]);
    finishJobs();
    await jest.advanceTimersByTimeAsync(0);
    setBusy(true);
    end(1);
    await jest.advanceTimersByTimeAsync(5_900);
    expect(batches).toEqual([1]);
    await jest.advanceTimersByTimeAsync(150);
    expect(batches).toEqual([1, 1]);
  });

  it('is ordered job after job, so that turns come between', async () => {
    const { batches, end, setBusy, finishJobs } = recording();
    end(2 * MAX_TURNS_IN_JOB + 1);
    await jest.advanceTimersByTimeAsync(450);
    expect(batches).toEqual([MAX_TURNS_IN_JOB]);
    setBusy(true);
    finishJobs();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(batches).toEqual([MAX_TURNS_IN_JOB]);
    setBusy(false);
    await jest.advanceTimersByTimeAsync(100);
    expect(batches).toEqual([MAX_TURNS_IN_JOB, MAX_TURNS_IN_JOB]);
    // This job asks a model, which takes long.
    await jest.advanceTimersByTimeAsync(600);
    expect(batches).toEqual([MAX_TURNS_IN_JOB, MAX_TURNS_IN_JOB, 1]);
  });

  it('is ordered at once where the process ends', async () => {
    const { batches, end, setBusy, drain } = recording();
    setBusy(true);
    end(MAX_TURNS_IN_JOB + 1);
    await drain();
    expect(batches).toEqual([MAX_TURNS_IN_JOB, 1]);
    end(1);
    await drain();
    expect(batches).toEqual([MAX_TURNS_IN_JOB, 1, 1]);
  });
});
