import { Inject, Injectable } from '@nestjs/common';
import { AppError, gatewayContract, memoryContract, type ReadTurn } from '@kith/contracts';
import { allOrOneByOne, Messenger, oneByOne, type MessagingLogger } from '@kith/messaging';
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
    const read = await this.#read(turns);
    const asksForNothing = ({ noticed }: ReadForReasons) => (noticed ?? []).length === 0;
    await oneByOne(
      // Only what is to be kept waits for memory, where that is away.
      [read.filter(asksForNothing), read.filter((one) => !asksForNothing(one))],
      (part) => allOrOneByOne(part, (some) => this.#keep(some)),
    );
    const ended = read.filter(({ noticed }) => noticed === null).map(({ turn }) => turn.turnId);
    if (ended.length > 0)
      throw new AppError(
        'invalid_request',
        `ended its reader twice, and is left unread: turn ${ended.join(', ')}`,
      );
  }

  /**
   * Reads a noted turn again, of which another part of the reply counts as said by now: promises that were not said go,
   * and those that were come back. What the person asked for stays. Safe to repeat.
   */
  async noticeAgain(turnId: string): Promise<void> {
    const { turns } = await this.messenger.ask(gatewayContract.readTurns, { turnIds: [turnId] });
    await oneByOne(await this.#withoutPrivate(await this.#read(turns)), async ({ turn, noticed }) => {
      // One that ends its reader gave no reason the first time, either.
      if (noticed !== null) await this.records.handleAgain(turn, noticed);
    });
  }

  async #keep(read: readonly ReadForReasons[]): Promise<void> {
    const open = await this.#withoutPrivate(read);
    const kept = await this.records.handle(
      open.map(({ turn, noticed }) => ({
        turn: { ...turn, reason: turn.reason ?? null, endedAt: new Date(turn.endedAt) },
        noticed: noticed ?? [],
      })),
    );
    open.forEach(({ turn: { turnId } }, n) => {
      if (kept[n]! > 0) this.logger.info({ turnId, kept: kept[n] }, 'intentions kept');
    });
  }

  async #read(turns: readonly ReadTurn[]): Promise<ReadForReasons[]> {
    const zoneOf = await this.records.timeZonesOf(turns.map(({ personId }) => personId));
    return Promise.all(
      turns.map(async (turn) => ({ turn, noticed: await this.#readOne(turn, zoneOf(turn.personId)) })),
    );
  }

  /** Nothing of private talk is kept, a promise neither. Memory is asked only where there is something to keep. */
  async #withoutPrivate(read: readonly ReadForReasons[]): Promise<readonly ReadForReasons[]> {
    const told = read.filter(({ noticed }) => noticed !== null && noticed.length > 0);
    if (told.length === 0) return read;
    const asked = told.map(({ turn }) => ({ personId: turn.personId, at: timesOf(turn) }));
    const { wasPrivate } = await this.messenger.ask(memoryContract.wasPrivate, { turns: asked });
    const hidden = new Set(told.filter((_, n) => wasPrivate[n]));
    return read.map((one) => (hidden.has(one) ? { ...one, noticed: [] } : one));
  }

  async #readOne(turn: ReadTurn, zone: string): Promise<readonly NoticedReason[] | null> {
    // What was said past the companion in a channel was not asked of it, and what it starts itself promises nothing new.
    const wasHeard = turn.origin === 'message' && turn.outcome !== 'silent' && turn.outcome !== 'dropped';
    if (!wasHeard) return [];
    try {
      return await this.rules.call('noticeReasons', saidIn(turn), zone);
    } catch (error) {
      if (error instanceof ReaderEnded) return null;
      throw error;
    }
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

/** A turn with what its person asked for; null where it ended its reader. */
interface ReadForReasons {
  turn: ReadTurn;
  noticed: readonly NoticedReason[] | null;
}

/** As many times as memory is asked about at once; a burst has far fewer messages. */
const MAX_TIMES_ASKED = 500;

/** When the person said something in a turn, and when it began. */
function timesOf(turn: ReadTurn): string[] {
  const said = saidIn(turn).person.map(({ saidAt }) => saidAt.toISOString());
  return [turn.startedAt ?? turn.endedAt, ...said].slice(0, MAX_TIMES_ASKED);
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
