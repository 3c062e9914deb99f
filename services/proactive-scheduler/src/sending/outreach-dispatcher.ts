import { gatewayContract, HOUR_MS } from '@kith/contracts';
import { type Messenger, type MessagingLogger, oneByOne } from '@kith/messaging';
import type { AttemptRecords, QueuedAttempt } from '../store/attempt-records.js';
import type { IntentionRecords } from '../store/intention-records.js';
import type { OutreachRecords } from '../store/outreach-records.js';

/** Attempts are asked for milliseconds after they are written: after a minute, the process has ended in between. */
const ASKED_AGAIN_AFTER_MS = 60_000;
/** The job's own retries are over long before: an attempt that the gateway has not begun by then never begins. */
const GIVEN_UP_AFTER_MS = 6 * HOUR_MS;

/** Decides when a companion writes first, and has the gateway carry it out. */
export class OutreachDispatcher {
  constructor(
    private readonly records: OutreachRecords,
    private readonly intentions: IntentionRecords,
    private readonly attempts: AttemptRecords,
    private readonly messenger: Messenger,
    private readonly logger: MessagingLogger,
  ) {}

  /**
   * Decides for everyone with a due reason. An attempt is written first and asked for second; one whose asking
   * was lost is asked for again under the same id, which the gateway carries out once. Where that fails for one person,
   * the others are still decided for.
   * @throws the error of that person, once the others are done
   */
  async scan(now: Date): Promise<void> {
    const steps = [() => this.giveUpOld(now), () => this.askAgain(now), () => this.decideForDue(now)];
    await oneByOne(steps, (step) => step());
  }

  private async giveUpOld(now: Date): Promise<void> {
    const dropped = await this.intentions.dropOverdue(now);
    const old = await this.attempts.stale(new Date(now.getTime() - GIVEN_UP_AFTER_MS));
    let givenUp = 0;
    await oneByOne(old, async (attempt) => {
      const { busy, answeredAt } = await this.askGateway(attempt.personId, attempt.id);
      if (answeredAt !== null) return this.attempts.noteAnswered(attempt, new Date(answeredAt));
      if (busy) return;
      await this.attempts.giveUp(attempt);
      givenUp += 1;
    });
    if (dropped + givenUp > 0)
      this.logger.info({ dropped, givenUp }, 'overdue intentions and attempts ended');
  }

  private async askAgain(now: Date): Promise<void> {
    const lost = await this.attempts.stale(new Date(now.getTime() - ASKED_AGAIN_AFTER_MS));
    await oneByOne(lost, (attempt) => this.reachOut(attempt));
  }

  private async decideForDue(now: Date): Promise<void> {
    await oneByOne(await this.records.peopleWithDueReason(now), (personId) => this.decideFor(personId, now));
  }

  private async decideFor(personId: string, now: Date): Promise<void> {
    const { busy } = await this.askGateway(personId);
    const { decision, attempt } = await this.records.decideFor(personId, now, busy);
    if (attempt) await this.reachOut(attempt);
    else this.logger.debug({ personId, why: decision.why }, 'outreach waits');
  }

  /**
   * Asks whether something of theirs is under way, and whether this outreach was written. If unknown, something is: a
   * message may be late, not over another, nor twice.
   */
  private async askGateway(personId: string, attemptId?: string) {
    try {
      return await this.messenger.ask(gatewayContract.isBusy, { personId, attemptId });
    } catch (error) {
      this.logger.warn({ personId, err: error }, 'outreach waits: the gateway is out of reach');
      return { busy: true, answeredAt: null };
    }
  }

  private async reachOut(attempt: QueuedAttempt): Promise<void> {
    const { id: attemptId, personId, companionId, channelId } = attempt;
    await this.messenger.enqueue(gatewayContract.reachOut, {
      attemptId,
      personId,
      companionId,
      ...(channelId === null ? {} : { channelId }),
    });
    this.logger.info({ attemptId, personId, companionId }, 'outreach asked for');
  }
}
