import {
  discordContract,
  firstOf,
  gatewayContract,
  MAX_TURNS_IN_JOB,
  memoryContract,
  outreachContract,
  personalityContract,
} from '@kith/contracts';
import { Pause, type Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { followUpsOf, planHeartbeats, type FollowUp } from './plan-follow-ups.js';
import type { FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';
import { announceEnd } from '../signals/announce-end.js';

/** Job that orders each follow-up, and request that asks whether it is done. */
export const FOLLOW_UPS = {
  remember: { job: memoryContract.remember, unfinished: memoryContract.unfinished },
  appraise: { job: personalityContract.appraise, unfinished: personalityContract.unfinished },
  notice: { job: outreachContract.notice, unfinished: outreachContract.unfinished },
} as const satisfies Record<FollowUp, unknown>;

/** Silence after which talk counts as paused: a person who writes meanwhile waits for a companion that thinks. */
const PAUSE_MS = 5 * 60_000;

/** Time for which turns are gathered into one job: most of a small job's cost is its overhead. */
const GATHER_MS = 400;
/** Gathering time while turns come one after the other: their follow-ups then cost a sixth less. */
const BUSY_GATHER_MS = 2_000;
/** Turns in the last orders from which they count as one after the other: one person alone has fewer. */
const BUSY_TURNS = 3;
/**
 * Longest wait of gathered turns while this process is busy, with turns that the work would slow down. Who goes to
 * another place and asks there for what they said takes longer; the sweeper takes older turns for lost.
 */
const MAX_WAIT_MS = 6_000;
/** Time over which the process's load is measured: turns that come one after the other leave no such pause. */
const QUIET_MS = 30;
/**
 * Share of that time below which it is not busy: the load of turns that wait for a model, and a quarter of that of one
 * person who is answered at once.
 */
const QUIET_SHARE = 0.2;
/** Time for which the next jobs wait for those that were ordered. Those that take longer ask a model, and leave the processor free. */
const PACE_MS = 500;

/**
 * Orders what follows a committed turn: delivery, appraisal, remembering, promises, the news of it. The sweeper orders
 * again any of these that does not end.
 */
export class FollowUps {
  /** Turns by the follow-up still to be ordered, oldest first, with the time at which they ended. */
  private readonly gathered: Record<FollowUp, { turnId: string; at: number }[]> = {
    remember: [],
    appraise: [],
    notice: [],
  };
  private ordering: Promise<void> | undefined;
  private readonly waiting = new Pause();
  /** Turns that were gathered when ordering last began. */
  private lastGathered = 0;
  private isDraining = false;

  /** @param eventLoop measures how busy this process is */
  constructor(
    private readonly messenger: Messenger,
    private readonly logger: Logger,
    private readonly eventLoop: Pick<typeof performance, 'eventLoopUtilization'> = performance,
  ) {}

  /** Orders the delivery and tells the news; the rest follows shortly. Never throws: the sweeper orders again. */
  async queue(claim: Claim, turn: FinishedTurn, outboxId: string | null): Promise<void> {
    const { messenger } = this;
    const { turnId } = turn;
    if (!messenger.canOrder) return;
    const first = firstOf(claim.burst);
    const at = performance.now();
    for (const followUp of followUpsOf({ origin: first.origin, outcome: turn.outcome })) {
      this.gathered[followUp].push({ turnId, at });
    }
    this.ordering ??= this.order();
    try {
      await Promise.all([
        ...(outboxId ? [messenger.enqueue(discordContract.deliver, { outboxId })] : []),
        ...this.heartbeatsOf(claim, turn),
        announceEnd(messenger, {
          turnId,
          conversationId: claim.conversationId,
          companionId: claim.companionId,
          personId: claim.personId,
          door: first.door,
          origin: first.origin,
          outcome: turn.outcome,
          endedAt: turn.endedAt.toISOString(),
        }),
      ]);
    } catch (error) {
      this.logger.warn(
        { err: error, turnId },
        'the follow-ups of a turn could not be ordered; the sweeper will',
      );
    }
  }

  /** Orders quiet turns that this one gives reason for: one a day for each cause, at the next pause. */
  private heartbeatsOf({ burst, kind, ...claim }: Claim, turn: FinishedTurn): Promise<void>[] {
    const { personId, companionId, conversationId } = claim;
    const day = turn.endedAt.toISOString().slice(0, 10);
    return planHeartbeats(firstOf(burst).origin, kind, turn).map((why) =>
      this.messenger.enqueue(
        gatewayContract.heartbeat,
        { personId, companionId, day, why, conversationId },
        { delayMs: PAUSE_MS },
      ),
    );
  }

  /** Orders the gathered turns, and from now on each turn at once: the process ends. */
  async drain(): Promise<void> {
    this.isDraining = true;
    this.waiting.end();
    await this.ordering;
  }

  /** Gathers turns, and orders a job of each kind at a time, each when there is little else to do. Never throws. */
  private async order(): Promise<void> {
    await this.pause(this.lastGathered < BUSY_TURNS ? GATHER_MS : BUSY_GATHER_MS);
    this.lastGathered = Math.max(...Object.values(this.gathered).map(({ length }) => length));
    for (;;) {
      const oldest = Math.min(...Object.values(this.gathered).map(([first]) => first?.at ?? Infinity));
      if (oldest === Infinity) break;
      const isQuiet = await this.isQuiet();
      if (isQuiet || this.isDraining || performance.now() - oldest >= MAX_WAIT_MS) await this.orderJobs();
    }
    // At once: a turn that ends now begins another round.
    this.ordering = undefined;
  }

  /** Waits for a moment, and tells whether the process had little to do in it. */
  private async isQuiet(): Promise<boolean> {
    const before = this.eventLoop.eventLoopUtilization();
    await this.pause(QUIET_MS);
    return this.eventLoop.eventLoopUtilization(before).utilization < QUIET_SHARE;
  }

  /** Orders one job of each kind. Where they are done in this process, waits for that, so that turns come between. */
  private async orderJobs(): Promise<void> {
    const orders = (Object.keys(FOLLOW_UPS) as FollowUp[]).map((followUp) => this.orderJob(followUp));
    const ends = (await Promise.all(orders)).filter((order) => order !== null).map(({ ended }) => ended);
    await Promise.race([Promise.all(ends), this.pause(PACE_MS)]);
    this.waiting.end();
  }

  private async orderJob(followUp: FollowUp): Promise<{ ended: Promise<void> } | null> {
    const turnIds = this.gathered[followUp].splice(0, MAX_TURNS_IN_JOB).map(({ turnId }) => turnId);
    if (turnIds.length === 0) return null;
    try {
      return await this.messenger.handOver(FOLLOW_UPS[followUp].job, { turnIds });
    } catch (error) {
      this.logger.warn({ err: error }, 'the follow-ups of some turns could not be ordered; the sweeper will');
      return null;
    }
  }

  /** Waits, unless the process ends. */
  private async pause(ms: number): Promise<void> {
    if (!this.isDraining) await this.waiting.wait(ms);
  }
}
