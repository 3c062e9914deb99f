import { randomUUID } from 'node:crypto';
import { memoryContract, outreachContract, personalityContract } from '@kith/contracts';
import type { Database, ForgetOrderModel } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import { reopenTurns } from './reopen-turns.js';
import type { TranscriptRedactor } from './transcript-redactor.js';

/** Ids by which the services find what they made. */
interface Made {
  turnIds: string[];
  messageIds: string[];
  memoryIds: string[];
  /** Other turns, whose replies repeat it. */
  replyTurnIds: string[];
}

/** Has the other services forget what they made of somebody's words, and make it again. */
export class MadeOfWords {
  constructor(
    private readonly database: Database,
    private readonly transcript: Pick<TranscriptRedactor, 'forgetStarted'>,
    private readonly messenger: Pick<Messenger, 'ask'>,
  ) {}

  /**
   * Makes the other services forget what they made of it. Returns how many lines that the companion began went along.
   */
  async forget(
    { id: orderId, personId, companionId, undoUntil: until, reason }: ForgetOrderModel,
    made: Made,
    before: string | null,
  ): Promise<number> {
    const undoUntil = until?.toISOString() ?? null;
    const request = {
      ...{ orderId, personId, companionId, before, undoUntil, ...made },
      isReread: reason === 'edited' && made.turnIds.length > 0,
    };
    await this.messenger.ask(personalityContract.forget, request);
    const { attemptIds } = await this.messenger.ask(outreachContract.forget, request);
    return this.transcript.forgetStarted({ orderId, personId, until }, attemptIds);
  }

  /** Makes personality forget again what the companion joked in replies that a later order, or a deletion, keeps away. */
  async forgetJokes(personId: string, replyTurnIds: string[]): Promise<void> {
    if (replyTurnIds.length === 0) return;
    const nothing = { turnIds: [], messageIds: [], memoryIds: [], before: null, undoUntil: null };
    const order = { orderId: randomUUID(), personId, companionId: null };
    await this.messenger.ask(personalityContract.forget, {
      ...{ ...order, ...nothing, replyTurnIds, isReread: false },
    });
  }

  /** Has turns remembered again. An order that is broken off between the two steps is carried out again. */
  async rememberAgain(personId: string, turnIds: string[]): Promise<void> {
    if (turnIds.length === 0) return;
    await this.messenger.ask(memoryContract.reread, { personId, turnIds });
    // After it: before, the sweeper could be told of the earlier reading, and close them.
    await reopenTurns(this.database, turnIds);
  }
}
