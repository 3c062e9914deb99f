import { randomUUID } from 'node:crypto';
import type { TurnView } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { ModelRoles } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import { assemblePrompt } from './assemble-prompt.js';
import { LEASE_MS, claimConversation, releaseLease, renewLease, type Claim } from './claim-conversation.js';
import { commitTurn, isHistory, type FinishedTurn } from './commit-turn.js';
import { composeContext } from './compose-context.js';
import { decideGate } from './decide-gate.js';
import type { FollowUps } from './follow-ups.js';
import { think } from './think.js';
import type { TurnEvents } from './turn-events.js';

export interface TurnParts {
  database: Database;
  messenger: Messenger;
  roles: ModelRoles;
  events: TurnEvents;
  followUps: FollowUps;
  logger: Logger;
  debounceMs: number;
  maxPromptTokens: number;
  maxReplyTokens: number;
}

/** Fixed words: they need no model, no Redis and no vector store. */
const APOLOGY =
  "I'm sorry, I can't think straight right now, so I won't make something up. Your message is safe; please try again in a little while.";

/** Works on a conversation until nothing in it waits. */
export class TakeTurn {
  constructor(private readonly parts: TurnParts) {}

  /**
   * Takes every turn that is due in this conversation. Another worker's lease is left alone: it looks again
   * after it gave the lease back, so what came in meanwhile is seen. A burst that may still grow is left to
   * the job of its newest message, which comes after the pause.
   */
  async run(conversationId: string): Promise<void> {
    for (;;) {
      const result = await claimConversation(this.parts.database, conversationId, this.parts.debounceMs);
      if (result.kind !== 'claimed') return;
      await this.#take(result.claim);
    }
  }

  async #take(claim: Claim): Promise<void> {
    const { database, logger } = this.parts;
    const heartbeat = setInterval(() => {
      renewLease(database, claim).catch((error: unknown) =>
        logger.warn({ err: error, conversationId: claim.conversationId }, 'lease not renewed'),
      );
    }, LEASE_MS / 3);
    try {
      const turn = await this.#decideOutcome(claim);
      const outboxId = await commitTurn(database, claim, turn);
      clearInterval(heartbeat);
      this.#tell(claim, turn);
      logger.info(
        {
          turnId: turn.turnId,
          conversationId: claim.conversationId,
          outcome: turn.outcome,
          reason: turn.reason,
          degraded: turn.degraded,
          tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
        },
        'turn ended',
      );
      await this.parts.followUps.queue(turn.turnId, outboxId);
    } catch (error) {
      // Best effort: a lease that can't be given back runs out by itself.
      await releaseLease(database, claim).catch(() => undefined);
      throw error;
    } finally {
      clearInterval(heartbeat);
    }
  }

  async #decideOutcome(claim: Claim): Promise<FinishedTurn> {
    const startedAt = new Date();
    const turnId = randomUUID();
    const nothing = {
      reply: null,
      model: null,
      rehearsal: false,
      degraded: [],
      usage: null,
      recalled: [],
      mood: null,
    };
    const shell = { turnId, companionName: claim.companionId, startedAt };
    if (claim.poison) {
      const outcome = claim.burst[0]!.origin === 'message' ? 'apologised' : 'dropped';
      const reply = outcome === 'apologised' ? APOLOGY : null;
      return { ...nothing, ...shell, outcome, reply, reason: 'poison', details: {}, endedAt: new Date() };
    }
    const gate = decideGate(claim, startedAt);
    if (gate.kind === 'silent') {
      return {
        ...nothing,
        ...shell,
        outcome: 'silent',
        reason: gate.reason,
        details: {},
        endedAt: new Date(),
      };
    }
    return this.#answer(claim, turnId, startedAt);
  }

  async #answer(claim: Claim, turnId: string, startedAt: Date): Promise<FinishedTurn> {
    const { parts } = this;
    const last = claim.burst.at(-1)!;
    const now = isHistory(last) ? last.sentAt : startedAt;
    const started = performance.now();
    const context = await composeContext(parts, claim, now);
    const composeMs = Math.round(performance.now() - started);
    const ids = this.#ids(claim);
    parts.events.publish(claim.conversationId, {
      inboxIds: ids.inboxIds,
      event: {
        type: 'turn',
        turnId,
        conversationId: claim.conversationId,
        messageIds: ids.messageIds,
        recalled: context.recalled,
        mood: context.mood,
        degraded: context.degraded,
      },
    });
    const prompt = assemblePrompt({
      context,
      personName: claim.personName,
      kind: claim.kind,
      said: claim.burst.map((message) => message.text),
      origin: last.origin,
      now,
      maxTokens: parts.maxPromptTokens,
    });
    const thought = await think(parts.roles.chat, prompt.messages, parts.maxReplyTokens, {
      onToken: (text) =>
        parts.events.publish(claim.conversationId, { ...ids, event: { type: 'token', turnId, text } }),
      onRestart: () =>
        parts.events.publish(claim.conversationId, { ...ids, event: { type: 'restart', turnId } }),
    });
    return {
      turnId,
      ...outcomeOf(thought.text, thought.problem, last.origin),
      companionName: context.companion.name,
      model: thought.model,
      rehearsal: thought.model === 'rehearsal',
      degraded: thought.text === null ? [...context.degraded, 'model'] : context.degraded,
      usage: thought.usage,
      recalled: context.recalled,
      mood: context.mood,
      details: {
        promptTokens: prompt.tokens,
        tries: thought.tries,
        timings: {
          composeMs,
          firstTokenMs: thought.firstTokenMs === null ? null : Math.round(thought.firstTokenMs),
        },
      },
      startedAt,
      endedAt: new Date(),
    };
  }

  #ids(claim: Claim): { inboxIds: string[]; messageIds: string[] } {
    return {
      inboxIds: claim.burst.map((message) => String(message.id)),
      messageIds: claim.burst.map((message) => message.externalId),
    };
  }

  #tell(claim: Claim, turn: FinishedTurn): void {
    const { inboxIds, messageIds } = this.#ids(claim);
    const view: TurnView = {
      turnId: turn.turnId,
      conversationId: claim.conversationId,
      messageIds,
      companionId: claim.companionId,
      outcome: turn.outcome,
      reason: turn.reason,
      reply: turn.reply,
      model: turn.model,
      rehearsal: turn.rehearsal,
      degraded: turn.degraded,
      recalled: turn.recalled,
      mood: turn.mood,
      tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
    };
    this.parts.events.publish(claim.conversationId, { inboxIds, event: { type: 'done', turn: view } });
    // What the companion starts reaches whoever of the person's doors is open.
    if (claim.burst[0]!.origin === 'outreach' && claim.kind === 'direct') {
      this.parts.events.publishToPerson(claim.personId, { type: 'done', turn: view });
    }
  }
}

/** An apology answers a person; nobody is owed one for a message that the companion meant to start. */
function outcomeOf(
  text: string | null,
  problem: string | null,
  origin: TurnOrigin,
): Pick<FinishedTurn, 'outcome' | 'reason' | 'reply'> {
  if (text !== null) return { outcome: 'answered', reason: null, reply: text };
  if (origin === 'outreach') return { outcome: 'dropped', reason: problem, reply: null };
  return { outcome: 'apologised', reason: problem, reply: APOLOGY };
}

type TurnOrigin = 'message' | 'outreach';
