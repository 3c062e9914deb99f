import { randomUUID } from 'node:crypto';
import {
  inParts,
  MAX_TURNS_IN_JOB,
  memoryContract,
  outreachContract,
  personalityContract,
  type RequestInput,
} from '@kith/contracts';
import type { Database, ForgetOrderModel } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { TranscriptRedactor } from '../redaction/transcript-redactor.js';

/** Ids by which services find what they derived, and whether its turns are read again for reasons to write. */
type DerivedIds = Pick<
  RequestInput<typeof outreachContract.forget>,
  'turnIds' | 'messageIds' | 'memoryIds' | 'replyTurnIds' | 'isNoticedAgain'
>;

/** Has the other services forget what they derived from a person's words, or derive it again. */
export class DerivedForgetter {
  constructor(
    private readonly database: Database,
    private readonly transcript: Pick<TranscriptRedactor, 'forgetStarted'>,
    private readonly messenger: Pick<Messenger, 'ask'>,
  ) {}

  /**
   * Has personality and the scheduler forget what they derived. Returns the outreach that goes with it, and the number of
   * lines removed with that.
   */
  async forget(
    order: Omit<ForgetOrderModel, 'what' | 'at' | 'finishedAt'>,
    made: DerivedIds,
    before: string | null,
  ): Promise<{ lines: number; attemptIds: string[] }> {
    const { id: orderId, personId, companionId, undoUntil: until, reason, keepTalk } = order;
    const request = {
      orderId,
      personId,
      companionId,
      before,
      undoUntil: until?.toISOString() ?? null,
      ...made,
      isReread: reason === 'edited' && (made.turnIds ?? []).length > 0,
    };
    await this.messenger.ask(personalityContract.forget, request);
    const { attemptIds } = await this.messenger.ask(outreachContract.forget, request);
    const from = { orderId, personId, until, keepTalk };
    const { lines, replyTurnIds } = await this.transcript.forgetStarted(from, attemptIds);
    if (replyTurnIds.length === 0) return { lines, attemptIds };
    // What was made of these, too, under the same order, so that an undo puts it back: of a promise in one, its outreach.
    const further = await this.forget({ ...order, companionId: null }, { replyTurnIds }, null);
    return { lines: lines + further.lines, attemptIds: [...attemptIds, ...further.attemptIds] };
  }

  /** Has personality forget again the jokes of replies that a later order, or a deletion, keeps removed. */
  async forgetJokes(personId: string, replyTurnIds: string[]): Promise<void> {
    if (replyTurnIds.length === 0) return;
    await this.messenger.ask(personalityContract.forget, ofReplies(personId, replyTurnIds));
  }

  /** Has personality and the scheduler forget for good what they made of the replies of these turns. */
  async forgetReplies(personId: string, replyTurnIds: readonly string[]): Promise<void> {
    for (const some of inParts(replyTurnIds, MAX_TURNS_IN_JOB)) {
      const request = ofReplies(personId, some);
      await this.messenger.ask(personalityContract.forget, request);
      await this.messenger.ask(outreachContract.forget, request);
    }
  }

  /** Has turns remembered again. If it is interrupted between the two steps, the order is carried out again. */
  async rememberAgain(personId: string, turnIds: string[]): Promise<void> {
    if (turnIds.length === 0) return;
    await this.messenger.ask(memoryContract.reread, { personId, turnIds });
    // Only now: earlier, memory could tell the sweeper that they are handled, which closes them.
    await reopenTurns(this.database, turnIds);
  }
}

/** Makes the request to forget what was made of replies alone, without an undo. */
function ofReplies(personId: string, replyTurnIds: string[]) {
  return { orderId: randomUUID(), personId, companionId: null, replyTurnIds };
}

/**
 * Has the sweeper ask memory again whether these turns are handled. Memory's own job for them may be lost or given up, or
 * an earlier one is under way and has read the old words.
 */
export async function reopenTurns(database: Database, turnIds: readonly string[]): Promise<void> {
  await database.writer('system').$executeRaw`
    UPDATE turns SET followed_up_at = NULL WHERE turn_id = ANY (${[...turnIds]}::uuid[])`;
}
