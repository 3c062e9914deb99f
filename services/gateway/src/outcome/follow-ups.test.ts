import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { MAX_TURNS_IN_JOB, memoryContract } from '@kith/contracts';
import { pino } from 'pino';
import { answered } from '../e2e/talk.js';
import type { Claim } from '../inbox/claim.js';
import { FollowUps } from './follow-ups.js';

const claim = { kind: 'direct', burst: [{ origin: 'message', door: 'http' }] } as unknown as Claim;

/** Records how many turns were to be remembered at once. */
function recording() {
  const batches: number[] = [];
  const followUps = new FollowUps(
    {
      canOrder: true,
      announce: async () => undefined,
      handOver: async ({ pattern }: { pattern: string }, { turnIds }: { turnIds: string[] }) => {
        if (pattern === memoryContract.remember.pattern) batches.push(turnIds.length);
      },
    } as never,
    pino({ level: 'silent' }),
  );
  const end = (turns: number) => {
    for (let n = 0; n < turns; n += 1)
      void followUps.queue(claim, { ...answered(), turnId: randomUUID() }, null);
  };
  return { batches, end, begin: () => followUps.begin() };
}

describe('what follows turns', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  it('is ordered together, shortly after the first of them', () => {
    const { batches, end } = recording();
    end(1);
    jest.advanceTimersByTime(200);
    end(1);
    expect(batches).toEqual([]);
    jest.advanceTimersByTime(250);
    expect(batches).toEqual([2]);
  });

  it('is gathered for longer where turns come one after the other, and no longer once they don’t', () => {
    const { batches, end } = recording();
    end(3);
    jest.advanceTimersByTime(450);
    end(1);
    jest.advanceTimersByTime(450);
    expect(batches).toEqual([3]);
    jest.advanceTimersByTime(1_600);
    expect(batches).toEqual([3, 1]);
    end(1);
    jest.advanceTimersByTime(450);
    expect(batches).toEqual([3, 1, 1]);
  });

  it('waits for a moment in which no turn is under way, and not for ever', () => {
    const { batches, end, begin } = recording();
    const endUnderWay = begin();
    end(1);
    jest.advanceTimersByTime(1_000);
    expect(batches).toEqual([]);
    endUnderWay();
    jest.advanceTimersByTime(100);
    expect(batches).toEqual([1]);
    begin();
    end(1);
    jest.advanceTimersByTime(3_050);
    expect(batches).toEqual([1, 1]);
  });

  it('waits for nothing once there is as much as one job takes', () => {
    const { batches, end, begin } = recording();
    begin();
    end(MAX_TURNS_IN_JOB + 1);
    expect(batches).toEqual([MAX_TURNS_IN_JOB]);
    jest.advanceTimersByTime(3_050);
    expect(batches).toEqual([MAX_TURNS_IN_JOB, 1]);
  });
});
