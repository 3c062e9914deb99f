import {
  discordContract,
  gatewayContract,
  memoryContract,
  outreachContract,
  personalityContract,
  type Door,
  type TurnOutcome,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';

/**
 * What follows a committed turn: delivery, appraisal, remembering, promises, the news of it. The turn's row
 * says whether they were queued; until it does, the sweeper queues them again, and their ids make that safe.
 */
export class FollowUps {
  constructor(
    private readonly database: Database,
    private readonly messenger: Messenger,
  ) {}

  /** Queues everything that follows this turn, delivery first, and marks the turn. */
  async queue(turnId: string, outboxId: string | null): Promise<void> {
    const { messenger } = this;
    if (outboxId) await messenger.enqueue(discordContract.deliver, { outboxId });
    const turn = await this.database.asSystem((tx) => tx.turn.findUniqueOrThrow({ where: { id: turnId } }));
    const origin = turn.origin === 'outreach' ? 'outreach' : 'message';
    const wasHeard = origin === 'message' && turn.outcome !== 'silent' && turn.outcome !== 'dropped';
    await Promise.all([
      messenger.announce(gatewayContract.turnEnded, {
        turnId,
        conversationId: turn.conversationId,
        companionId: turn.companionId,
        personId: turn.personId,
        door: turn.door as Door,
        origin,
        outcome: turn.outcome as TurnOutcome,
        endedAt: turn.endedAt.toISOString(),
      }),
      ...(wasHeard
        ? [
            messenger.enqueue(memoryContract.remember, { turnId }),
            messenger.enqueue(personalityContract.appraise, { turnId }),
            messenger.enqueue(outreachContract.notice, { turnId }),
          ]
        : []),
    ]);
    await this.database.asPerson(turn.personId, (tx) =>
      tx.turn.update({ where: { id: turnId }, data: { followedUpAt: new Date() } }),
    );
  }
}
