import {
  discordContract,
  gatewayContract,
  memoryContract,
  outreachContract,
  personalityContract,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { Claim } from './claim-conversation.js';
import type { FinishedTurn } from './commit-turn.js';
import { followUpsOf, type FollowUp } from './plan-follow-ups.js';

/** Who does each follow-up: the job that orders it, and the question whether it is done. */
export const FOLLOW_UPS = {
  remember: { job: memoryContract.remember, unfinished: memoryContract.unfinished },
  appraise: { job: personalityContract.appraise, unfinished: personalityContract.unfinished },
  notice: { job: outreachContract.notice, unfinished: outreachContract.unfinished },
} as const satisfies Record<FollowUp, unknown>;

/**
 * What follows a committed turn: delivery, appraisal, remembering, promises, the news of it. Here they are ordered
 * for the first time; the sweeper sees to it that they come to an end.
 */
export class FollowUps {
  constructor(
    private readonly messenger: Messenger,
    private readonly logger: Logger,
  ) {}

  /** Orders everything that follows this turn, delivery first. Never throws: the sweeper orders again. */
  async queue(claim: Claim, turn: FinishedTurn, outboxId: string | null): Promise<void> {
    const { messenger } = this;
    const { turnId } = turn;
    if (!messenger.isReachable) return;
    const first = claim.burst[0]!;
    const followUps = followUpsOf({ origin: first.origin, outcome: turn.outcome });
    try {
      await Promise.all([
        ...(outboxId ? [messenger.enqueue(discordContract.deliver, { outboxId })] : []),
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
        ...followUps.map((followUp) => messenger.enqueue(FOLLOW_UPS[followUp].job, { turnId })),
      ]);
    } catch (error) {
      this.logger.warn({ err: error, turnId }, 'what follows a turn was not ordered, the sweeper will');
    }
  }
}
