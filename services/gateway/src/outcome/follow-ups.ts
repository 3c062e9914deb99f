import {
  discordContract,
  firstOf,
  gatewayContract,
  MAX_TURNS_IN_JOB,
  memoryContract,
  outreachContract,
  personalityContract,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { planHeartbeats } from './plan-heartbeats.js';
import { followUpsOf, type FollowUp } from './plan-follow-ups.js';
import type { FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';

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
/** Time for it where turns come one after the other: what follows one then costs a sixth less. */
const BUSY_GATHER_MS = 2_000;
/** Turns of the last jobs by which it is one after the other: more than one person's in so short a time. */
const BUSY_TURNS = 3;
/** Time for which they are gathered at most while other turns are under way here, which the work would slow down. */
const MAX_GATHER_MS = 3_000;
/** Pause after a turn, after which no other is likely to begin at once. */
const QUIET_MS = 30;

/**
 * Orders what follows a committed turn: delivery, appraisal, remembering, promises, the news of it. The sweeper orders
 * again what does not come to its end.
 */
export class FollowUps {
  private readonly gathered: Record<FollowUp, string[]> = { remember: [], appraise: [], notice: [] };
  private timer: NodeJS.Timeout | undefined;
  /** Turns of the last jobs. */
  private lastOrdered = 0;
  private isDraining = false;
  /** Turns under way in this process. */
  private underWay = 0;
  private lastEndedAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly messenger: Messenger,
    private readonly logger: Logger,
  ) {}

  /** Notes that a turn is under way here. Returns how to note its end. */
  begin(): () => void {
    this.underWay += 1;
    return () => {
      this.underWay -= 1;
      this.lastEndedAt = performance.now();
    };
  }

  /** Orders the delivery and tells the news; the rest follows shortly. Never throws: the sweeper orders again. */
  async queue(claim: Claim, turn: FinishedTurn, outboxId: string | null): Promise<void> {
    const { messenger } = this;
    const { turnId } = turn;
    if (!messenger.canOrder) return;
    const first = firstOf(claim.burst);
    for (const followUp of followUpsOf({ origin: first.origin, outcome: turn.outcome })) {
      this.gathered[followUp].push(turnId);
    }
    // Jobs that are full gain nothing by waiting, and several at once would hold up turns for longer.
    if (Object.values(this.gathered).some(({ length }) => length >= MAX_TURNS_IN_JOB)) void this.order();
    else
      this.timer ??= this.isDraining ? setTimeout(() => void this.order()) : this.waitFrom(performance.now());
    try {
      await Promise.all([
        ...(outboxId ? [messenger.enqueue(discordContract.deliver, { outboxId })] : []),
        ...this.heartbeatsOf(claim, turn),
        messenger.announce(gatewayContract.turnEnded, {
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

  /** Orders what is gathered, and from now on everything at once: the process ends. */
  async drain(): Promise<void> {
    this.isDraining = true;
    await this.order();
  }

  /** Waits for more turns, and then for a moment in which none is under way. */
  private waitFrom(startedAt: number): NodeJS.Timeout {
    const look = () => {
      const now = performance.now();
      const isQuiet = this.underWay === 0 && now - this.lastEndedAt >= QUIET_MS;
      if (isQuiet || now - startedAt >= MAX_GATHER_MS) void this.order();
      else this.timer = setTimeout(look, QUIET_MS);
    };
    return setTimeout(look, this.lastOrdered < BUSY_TURNS ? GATHER_MS : BUSY_GATHER_MS);
  }

  private async order(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const orders: Promise<void>[] = [];
    this.lastOrdered = Math.max(...Object.values(this.gathered).map(({ length }) => length));
    for (const followUp of Object.keys(FOLLOW_UPS) as FollowUp[]) {
      const gathered = this.gathered[followUp];
      while (gathered.length > 0) {
        const turnIds = gathered.splice(0, MAX_TURNS_IN_JOB);
        orders.push(this.messenger.handOver(FOLLOW_UPS[followUp].job, { turnIds }));
      }
    }
    try {
      await Promise.all(orders);
    } catch (error) {
      this.logger.warn({ err: error }, 'the follow-ups of some turns could not be ordered; the sweeper will');
    }
  }
}
