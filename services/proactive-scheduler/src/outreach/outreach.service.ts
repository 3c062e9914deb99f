import { Inject, Injectable } from '@nestjs/common';
import { AppError, gatewayContract, memoryContract, type ReadTurn } from '@kith/contracts';
import { Messenger, oneByOne, type MessagingLogger } from '@kith/messaging';
import { ReaderEnded, ReadingThread } from '@kith/reading';
import { LOGGER } from '@kith/service-host';
import { AttemptRecords, type QueuedAttempt } from './attempt-records.js';
import { IntentionRecords } from './intention-records.js';
import type { NoticedReason, SaidInTurn } from './notice-reasons.js';
import { OutreachRecords } from './outreach-records.js';

// Between writing an attempt and asking for it lie milliseconds: after a minute the process has ended in between.
const ASKED_AGAIN_AFTER_MS = 60_000;
// The job's own retries are over long before; what is still under way then will not come any more.
const GIVEN_UP_AFTER_MS = 6 * 3_600_000;

/** Notices what a companion is asked to come back to, and decides when it does. */
@Injectable()
export class OutreachService {
  constructor(
    private readonly records: OutreachRecords,
    private readonly intentions: IntentionRecords,
    private readonly attempts: AttemptRecords,
    private readonly messenger: Messenger,
    private readonly rules: ReadingThread<typeof import('./notice-reasons.js')>,
    @Inject(LOGGER) private readonly logger: MessagingLogger,
  ) {}

  /**
   * Takes note of ended turns, and keeps what people asked for in them. The same turn again changes nothing. A turn that
   * ended its reader is taken note of with nothing asked for, and is told to the operator by the end of the job.
   * @throws AppError `invalid_request` that names such a turn, after the others
   */
  async notice(turnIds: string[]): Promise<void> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds });
    const zoneOf = await this.records.timeZonesOf(turns.map(({ personId }) => personId));
    await oneByOne(turns, (turn) => this.#notice(turn, zoneOf(turn.personId)));
  }

  async #notice(turn: ReadTurn, zone: string): Promise<void> {
    const ended = { ...turn, reason: turn.reason ?? null, endedAt: new Date(turn.endedAt) };
    const noticed = await this.#read(turn, zone);
    const kept = await this.records.handle(ended, noticed ?? []);
    if (kept > 0) this.logger.info({ turnId: turn.turnId, kept }, 'intentions kept');
    if (noticed === null)
      throw new AppError(
        'invalid_request',
        `ended its reader twice, and is left unread: turn ${turn.turnId}`,
      );
  }

  /**
   * Reads a noted turn again, of which another part of the reply counts as said by now: promises that were not said go,
   * and those that were come back. What the person asked for stays. Safe to repeat.
   */
  async noticeAgain(turnId: string): Promise<void> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    const zoneOf = await this.records.timeZonesOf(turns.map(({ personId }) => personId));
    await oneByOne(turns, async (turn) => {
      const noticed = await this.#read(turn, zoneOf(turn.personId));
      // One that ends its reader gave no reason the first time, either.
      if (noticed !== null) await this.records.handleAgain(turn, noticed);
    });
  }

  /** What a turn asks for; null for one that ended its reader. */
  async #read(turn: ReadTurn, zone: string): Promise<readonly NoticedReason[] | null> {
    // What was said past the companion in a channel was not asked of it, and what it starts itself promises nothing new.
    const wasHeard = turn.origin === 'message' && turn.outcome !== 'silent' && turn.outcome !== 'dropped';
    if (!wasHeard) return [];
    const said = saidIn(turn);
    try {
      const noticed = await this.rules.call('noticeReasons', said, zone);
      return noticed.length > 0 && (await this.#isPrivate(turn, said)) ? [] : noticed;
    } catch (error) {
      if (error instanceof ReaderEnded) return null;
      throw error;
    }
  }

  /** Nothing of private talk is kept, a promise neither. Asked only where there is something to keep. */
  async #isPrivate(turn: ReadTurn, said: SaidInTurn): Promise<boolean> {
    const at = [turn.startedAt ?? turn.endedAt, ...said.person.map(({ saidAt }) => saidAt.toISOString())];
    const { personId } = turn;
    return (await this.messenger.ask(memoryContract.wasPrivate, { personId, at: at.slice(0, 500) }))
      .wasPrivate;
  }

  /**
   * Decides for everyone with a due reason. An attempt is written first and asked for second; one whose asking
   * was lost is asked for again under the same id, which the gateway carries out once.
   */
  async scan(now: Date): Promise<void> {
    const dropped = await this.intentions.dropOverdue(now);
    const givenUp = await this.attempts.giveUp(new Date(now.getTime() - GIVEN_UP_AFTER_MS));
    if (dropped + givenUp > 0)
      this.logger.info({ dropped, givenUp }, 'overdue intentions and attempts ended');

    for (const attempt of await this.attempts.stale(new Date(now.getTime() - ASKED_AGAIN_AFTER_MS))) {
      await this.reachOut(attempt);
    }
    for (const personId of await this.records.peopleWithDueReason(now)) {
      const isBusy = await this.#isBusy(personId);
      const { decision, attempt } = await this.records.decideFor(personId, now, isBusy);
      if (attempt) await this.reachOut(attempt);
      else if (decision.kind === 'wait') this.logger.debug({ personId, why: decision.why }, 'outreach waits');
    }
  }

  /** In doubt they are: a message may be late, and may not talk over another. */
  async #isBusy(personId: string): Promise<boolean> {
    try {
      return (await this.messenger.ask(gatewayContract.isBusy, { personId })).busy;
    } catch (error) {
      this.logger.warn({ personId, err: error }, 'outreach waits: the gateway is out of reach');
      return true;
    }
  }

  private async reachOut(attempt: QueuedAttempt): Promise<void> {
    const { id: attemptId, personId, companionId, channelId } = attempt;
    await this.messenger.enqueue(gatewayContract.reachOut, {
      ...{ attemptId, personId, companionId },
      ...(channelId === null ? {} : { channelId }),
    });
    this.logger.info({ attemptId, personId, companionId }, 'outreach asked for');
  }
}

/** What the person and the companion said in a turn. */
function saidIn({ messages, personId }: ReadTurn): SaidInTurn {
  const by = (who: (message: ReadTurn['messages'][number]) => boolean) =>
    messages.filter(who).map(({ text, at }) => ({ text, saidAt: new Date(at) }));
  return {
    person: by((message) => message.role === 'person' && message.personId === personId),
    companion: by(({ role }) => role === 'companion'),
  };
}
