import { setTimeout as sleep } from 'node:timers/promises';
import { type Door, firstOf, type TurnView, isUnavailable } from '@kith/contracts';
import { step } from '@kith/service-host';
import { maySee, type AnswerParts } from '../answer/answer-parts.js';
import type { ContextPrefetcher } from '../answer/context-prefetcher.js';
import { answerTurn, keptEffects } from '../answer/answer-turn.js';
import { apologyFor, idsOf } from '../answer/turn-outcome.js';
import { SAID_SHARE } from '../answer/cut-said.js';
import { budgetOf } from '../answer/prompt-budget.js';
import { claimBurst, type ClaimResult, type TurnStores } from '../inbox/claim-burst.js';
import type { UsageRecords } from '../safety/usage-records.js';
import { commitTurn, dropMessages, isOvertaken, type CommittedTurn } from '../outcome/commit-turn.js';
import type { RecentTurns } from '../outcome/recent-turns.js';
import type { FollowUps } from '../outcome/follow-ups.js';
import type { BurstLimits } from '../inbox/decide-burst.js';
import { TurnInterrupted, type Interruption, type Interruptions } from '../signals/interruptions.js';
import { turnIdOf } from '../signals/turn-id-of.js';
import type { Speaker } from '../conversations/conversations.js';
import type { FinishedTurn } from '../answer/finished-turn.js';
import { giveTryBack, LEASE_MS, releaseLease, renewLease } from '../inbox/lease.js';
import type { Claim } from '../inbox/claim.js';

export interface TurnParts extends AnswerParts, TurnStores {
  interruptions: Interruptions;
  followUps: FollowUps;
  recent: RecentTurns;
  prefetcher: AnswerParts['prefetcher'] & Pick<ContextPrefetcher, 'note' | 'noteEpoch' | 'drop'>;
  usage: UsageRecords;
  debounceMs: number;
}

/** Reason why nothing of a speaker was claimed. */
export type NothingClaimed = Exclude<ClaimResult, { kind: 'claimed' }>;

/** Doors at which people write on while they are being answered. At the others a caller waits for each reply. */
const CHAT_DOORS: ReadonlySet<Door> = new Set(['discord', 'websocket']);
/** Times that newer messages may take a turn over: a flood must not put the answer off for ever. */
const MAX_OVERTAKEN = 2;

/** Time for which a reply, or a lease that is given back, waits for a store that is away. */
const COMMIT_WITHIN_MS = 60_000;
/** Pause between two tries: a restart of Postgres takes seconds. */
const COMMIT_AGAIN_MS = 400;

/** Answers a speaker until nothing of theirs waits. */
export class TurnTaker {
  /**
   * True while a message on its last try is answered here. A process takes only one of those at a time. If it dies, this
   * message was the cause, and those that were merely under way beside it are still answered.
   */
  private hasSuspect = false;

  constructor(private readonly parts: TurnParts) {}

  /**
   * Takes every turn of this speaker that is due. Another worker's lease is left alone: that worker looks again after it
   * gave the lease back, so what came in meanwhile is seen. A burst that may still grow is left to the job of its newest
   * message, which comes after the pause.
   * @param claimed the first of them, where its claim came with its acceptance
   * @returns why there is no further turn
   */
  async run(speaker: Speaker, claimed: Claim | null = null): Promise<NothingClaimed> {
    const left = await this.answer(speaker, claimed, { leavesSuspects: true });
    // The sweeper comes back for it.
    if (left.kind !== 'suspect' || this.hasSuspect) return left;
    this.hasSuspect = true;
    try {
      return await this.answer(speaker, null, { leavesSuspects: false });
    } finally {
      this.hasSuspect = false;
    }
  }

  /** Returns why there is no further turn. */
  private async answer(
    speaker: Speaker,
    claimed: Claim | null,
    how: { leavesSuspects: boolean },
  ): Promise<NothingClaimed> {
    for (let claim = claimed; ; claim = null) {
      if (!claim) {
        const result = await claimBurst(this.parts, speaker, this.limits(), how);
        if (result.kind !== 'claimed') return result;
        claim = result.claim;
      }
      step('claimed');
      if (!(await this.take(claim))) return { kind: 'nothing' };
    }
  }

  private limits(): BurstLimits {
    // The other half of a prompt is for who they are and what was before.
    const { roles, debounceMs } = this.parts;
    const { limit, count, pictureTokens } = budgetOf(roles, this.parts);
    const ofPicture = maySee(roles) ? pictureTokens : 0;
    return { debounceMs, maxTokens: limit * SAID_SHARE, count, pictureTokens: ofPicture };
  }

  /** Returns whether to look again. */
  private async take(claim: Claim): Promise<boolean> {
    const { database, interruptions, logger } = this.parts;
    const { conversationId } = claim;
    const turnId = turnIdOf(conversationId, firstOf(claim.burst).id);
    const interruption = new AbortController();
    const end = interruptions.watch(claim, (reason) => void this.onInterruption(claim, reason, interruption));
    const renewal = setInterval(() => {
      renewLease(database, claim).then(
        (held) => held || interruption.abort(new TurnInterrupted('lease-lost')),
        (error: unknown) => logger.warn({ err: error, conversationId }, 'a lease could not be renewed'),
      );
    }, LEASE_MS / 3);
    try {
      const turn = await answerTurn(this.parts, claim, turnId, interruption.signal);
      const { outboxId, more } = await this.commit(claim, turn);
      step('reply-stored');
      clearInterval(renewal);
      this.parts.recent.add(claim, turn);
      this.parts.prefetcher.note(claim, turn);
      this.tell(claim, turn);
      logger.info(
        {
          turnId,
          conversationId,
          outcome: turn.outcome,
          reason: turn.reason,
          degraded: turn.degraded,
          tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
        },
        'a turn has ended',
      );
      await this.parts.followUps.queue(claim, turn, outboxId);
      if (turn.nextTalkTokens !== undefined) void this.endEpoch(claim, turn.nextTalkTokens);
      return more;
    } catch (error) {
      return await this.endFailedTry(claim, turnId, error);
    } finally {
      clearInterval(renewal);
      end();
      this.parts.prefetcher.drop(claim);
    }
  }

  /**
   * Ends an epoch between two turns, while nobody waits: reading its talk again takes as long as a turn, and the fast
   * model's questions take seconds. Never throws: where it fails, a later turn ends the epoch itself.
   */
  private async endEpoch(claim: Claim, tokens: number): Promise<void> {
    const { epochs, prefetcher, roles, logger } = this.parts;
    try {
      const { exact, count } = budgetOf(roles, this.parts);
      const ended = await epochs.reset(claim, tokens, exact ?? count);
      if (ended) prefetcher.noteEpoch(claim, ended.talk.earlier[0]);
    } catch (error) {
      logger.warn(
        { err: error, conversationId: claim.conversationId },
        'an epoch could not be ended between two turns; the next turn does',
      );
    }
  }

  /** Keeps trying while Postgres is away, so that the model need not be asked again. */
  private async commit(claim: Claim, turn: FinishedTurn): Promise<CommittedTurn> {
    const { database, usage } = this.parts;
    const spent = usage.book.take(turn.turnId);
    const commit = () => commitTurn(database, claim, turn, mayBeOvertaken(claim), spent);
    return whileAway(commit, performance.now() + COMMIT_WITHIN_MS).catch((error: unknown) => {
      usage.book.giveBack(spent);
      throw error;
    });
  }

  /**
   * Ends the turn where it is pointless, which saves the rest of a model call. Never throws: the commit looks for
   * itself.
   */
  private async onInterruption(claim: Claim, reason: Interruption, interruption: AbortController) {
    if (reason === 'overtaken') {
      if (!mayBeOvertaken(claim)) return;
      if (!(await isOvertaken(this.parts.database, claim).catch(() => false))) return;
    }
    interruption.abort(new TurnInterrupted(reason));
  }

  /**
   * Handles a try that failed or was interrupted. Returns whether to retry at once; rethrows any error that was not an
   * interruption, unless its messages were dropped.
   */
  private async endFailedTry(claim: Claim, turnId: string, error: unknown): Promise<boolean> {
    const { database, events, logger } = this.parts;
    const { conversationId } = claim;
    if (!(error instanceof TurnInterrupted)) {
      // The messages are not to blame while the store is away. If it answers now, it was not away.
      const answersNow = () => database.ping().then(() => true);
      const wasAway = isUnavailable(error) && !(await answersNow().catch(() => false));
      if (claim.poison && !wasAway) {
        logger.error(
          { err: error, turnId, conversationId },
          'not even the apology could be stored; the message is dropped',
        );
        const effects = await keptEffects(this.parts, claim, turnId);
        await dropMessages(database, claim);
        this.tell(claim, apologyFor(claim, turnId, new Date(), effects));
        return true;
      }
      await this.release(claim, wasAway ? 'interrupted' : 'failed');
      throw error;
    }
    logger.info({ turnId, conversationId, reason: error.reason }, 'a turn was interrupted');
    if (error.reason === 'lease-lost') {
      await giveTryBack(database, claim).catch(() => undefined);
      return false;
    }
    const until = performance.now() + COMMIT_WITHIN_MS;
    await this.insist(() => this.parts.permittedTools.withdraw(claim, turnId), until);
    events.publish(conversationId, { ...idsOf(claim), event: { type: 'restart', turnId } });
    await this.release(claim, error.reason === 'overtaken' ? 'overtaken' : 'interrupted', until);
    return true;
  }

  /** Gives the lease back: one that runs out by itself counts as a try, of which a message has three. Never throws. */
  private release(
    claim: Claim,
    why: 'interrupted' | 'overtaken' | 'failed',
    until = performance.now() + COMMIT_WITHIN_MS,
  ): Promise<void> {
    return this.insist(() => releaseLease(this.parts.database, claim, why), until);
  }

  /** Repeats work that fails while its store is away. Never throws. */
  private insist(work: () => Promise<void>, until: number): Promise<void> {
    return whileAway(work, until).catch((error: unknown) =>
      this.parts.logger.warn({ err: error }, 'the end of a try was not stored'),
    );
  }

  private tell(claim: Claim, turn: FinishedTurn): void {
    const ids = idsOf(claim);
    const { conversationId, companionId, personId } = claim;
    const { turnId, outcome, reason, reply, model, rehearsal, degraded, questions, recalled, mood } = turn;
    const view: TurnView = {
      turnId,
      conversationId,
      messageIds: ids.messageIds,
      companionId,
      outcome,
      reason,
      reply,
      model,
      rehearsal,
      degraded,
      recalled,
      mood,
      ...(questions.length > 0 && { questions }),
      tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
    };
    this.parts.events.publish(conversationId, { ...ids, event: { type: 'done', turn: view } });
    if (claim.kind !== 'direct') return;
    const { origin, door } = firstOf(claim.burst);
    const { messageIds } = ids;
    // What the companion starts reaches whoever of the person's doors is open.
    if (origin === 'outreach') this.parts.events.publishToPerson(personId, { type: 'done', turn: view });
    else if (origin === 'message' && door !== 'discord')
      this.parts.events.publishToPerson(personId, {
        type: 'talked',
        turnId,
        conversationId,
        companionId,
        messageIds,
      });
  }
}

/** Repeats work that fails while its store is away, until a time. @throws what it failed for last */
async function whileAway<T>(work: () => Promise<T>, until: number): Promise<T> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!isUnavailable(error) || performance.now() > until) throw error;
      await sleep(COMMIT_AGAIN_MS);
    }
  }
}

/** Tells whether a newer message of the same person takes the turn over, rather than wait for its end. */
function mayBeOvertaken({ burst, poison }: Claim): boolean {
  const first = firstOf(burst);
  return (
    CHAT_DOORS.has(first.door) &&
    first.origin === 'message' &&
    !first.stopped &&
    !poison &&
    burst.every(({ overtaken }) => overtaken < MAX_OVERTAKEN)
  );
}
