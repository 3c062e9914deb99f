import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, type Door, type TurnOrigin, type TurnView } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { ModelRoles } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { step, type DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import type { PersonNames } from '../people/person-names.js';
import type { Spend } from '../safety/spend.js';
import { assemblePrompt } from './assemble-prompt.js';
import { LEASE_MS, claimConversation, releaseLease, renewLease, type Claim } from './claim-conversation.js';
import { commitTurn, isHistory, isOvertaken, type CommittedTurn, type FinishedTurn } from './commit-turn.js';
import { composeContext } from './compose-context.js';
import { decideGate } from './decide-gate.js';
import type { FollowUps } from './follow-ups.js';
import { TurnInterrupted, type Interruption, type Interruptions } from './interruptions.js';
import { noteModels, noteServices } from './note-degraded.js';
import type { RecentTurns } from './recent-turns.js';
import { think, type Question, type Thought } from './think.js';
import { toolsOf } from './tools.js';
import type { TurnEvents } from './turn-events.js';
import { turnIdOf } from './turn-id.js';
import { UNSEEN, writeFirst, type FirstWords } from './write-first.js';

export interface TurnParts {
  database: Database;
  messenger: Messenger;
  roles: ModelRoles;
  names: PersonNames;
  events: TurnEvents;
  interruptions: Interruptions;
  followUps: FollowUps;
  recent: RecentTurns;
  spend: Spend;
  states: DegradedStates;
  logger: Logger;
  debounceMs: number;
  maxPromptTokens: number;
  maxReplyTokens: number;
  /** May the model call tools? */
  useTools: boolean;
}

/** Fixed words: they need no model, no Redis and no vector store. */
const APOLOGY =
  "I'm sorry, I can't think straight right now, so I won't make something up. Your message is safe; please try again in a little while.";

/** The same, when the day's tokens are spent. */
const SPENT = "I've talked so much today that I have to rest until tomorrow. Your message is safe with me.";

/** Doors where people write on while they are being answered. Elsewhere a caller waits for each reply. */
const CHAT_DOORS: ReadonlySet<Door> = new Set(['discord', 'websocket']);
/** A flood must not put the answer off for ever. */
const MOST_OVERTAKEN = 2;

/** How long a reply waits for a store that is away before it is given up, to be thought of anew. */
const COMMIT_WITHIN_MS = 60_000;
const COMMIT_AGAIN_MS = 400;

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
      step('claimed');
      if (!(await this.#take(result.claim))) return;
    }
  }

  /** Returns whether to look at the conversation again. */
  async #take(claim: Claim): Promise<boolean> {
    const { database, interruptions, logger } = this.parts;
    const { conversationId } = claim;
    const turnId = turnIdOf(conversationId, claim.burst[0]!.id);
    const interruption = new AbortController();
    const end = interruptions.begin(
      conversationId,
      (reason) => void this.#onTold(claim, reason, interruption),
    );
    const heartbeat = setInterval(() => {
      renewLease(database, claim).then(
        (held) => held || interruption.abort(new TurnInterrupted('lease-lost')),
        (error: unknown) => logger.warn({ err: error, conversationId }, 'lease not renewed'),
      );
    }, LEASE_MS / 3);
    try {
      const turn = await this.#decideOutcome(claim, turnId, interruption.signal);
      const { outboxId, more } = await this.#commit(claim, turn);
      step('reply-stored');
      clearInterval(heartbeat);
      this.parts.recent.add(claim, turn);
      this.#tell(claim, turn);
      logger.info(
        {
          turnId,
          conversationId,
          outcome: turn.outcome,
          reason: turn.reason,
          degraded: turn.degraded,
          tookMs: turn.endedAt.getTime() - turn.startedAt.getTime(),
        },
        'turn ended',
      );
      await this.parts.followUps.queue(claim, turn, outboxId);
      return more;
    } catch (error) {
      return await this.#giveBack(claim, turnId, error);
    } finally {
      clearInterval(heartbeat);
      end();
    }
  }

  /** Tries on while Postgres is away: what the model said is not to be asked for again. */
  async #commit(claim: Claim, turn: FinishedTurn): Promise<CommittedTurn> {
    const until = performance.now() + COMMIT_WITHIN_MS;
    for (;;) {
      try {
        return await commitTurn(this.parts.database, claim, turn, mayBeOvertaken(claim));
      } catch (error) {
        if (!isAway(error) || performance.now() > until) throw error;
        await sleep(COMMIT_AGAIN_MS);
      }
    }
  }

  /** Saves the rest of a model call. Never throws: the commit looks for itself. */
  async #onTold(claim: Claim, reason: Interruption, interruption: AbortController): Promise<void> {
    if (reason === 'overtaken') {
      const isIt =
        mayBeOvertaken(claim) && (await isOvertaken(this.parts.database, claim).catch(() => false));
      if (!isIt) return;
    }
    interruption.abort(new TurnInterrupted(reason));
  }

  /** Ends a try that came to no outcome. Returns whether to try anew at once; throws what was no interruption. */
  async #giveBack(claim: Claim, turnId: string, error: unknown): Promise<boolean> {
    const { database, events, logger } = this.parts;
    const { conversationId } = claim;
    if (!(error instanceof TurnInterrupted)) {
      // A store that is away is nothing its messages did: only what they may have caused counts towards poison.
      const instead = isAway(error) ? 'interrupted' : 'failed';
      // Best effort: a lease that can't be given back runs out by itself.
      await releaseLease(database, claim, instead).catch(() => undefined);
      throw error;
    }
    logger.info({ turnId, conversationId, reason: error.reason }, 'turn interrupted');
    if (error.reason === 'lease-lost') return false;
    events.publish(conversationId, { ...idsOf(claim), event: { type: 'restart', turnId } });
    await releaseLease(database, claim, error.reason === 'overtaken' ? 'overtaken' : 'interrupted');
    return true;
  }

  async #decideOutcome(claim: Claim, turnId: string, signal: AbortSignal): Promise<FinishedTurn> {
    const startedAt = new Date();
    const personName = await this.parts.names.of(claim.personId);
    const nothing = {
      turnId,
      personName,
      companionName: claim.companionId,
      reply: null,
      model: null,
      rehearsal: false,
      degraded: [],
      usage: null,
      recalled: [],
      mood: null,
      details: claimOf(claim),
      startedAt,
    };
    if (claim.poison) {
      const outcome = claim.burst[0]!.origin === 'message' ? 'apologised' : 'dropped';
      const reply = outcome === 'apologised' ? APOLOGY : null;
      return { ...nothing, outcome, reply, reason: 'poison', endedAt: new Date() };
    }
    const gate = decideGate(claim, startedAt);
    if (gate.kind !== 'proceed') {
      const details = { ...nothing.details, gate: `${gate.kind}: ${gate.reason}` };
      return { ...nothing, details, outcome: gate.kind, reason: gate.reason, endedAt: new Date() };
    }
    if (claim.burst[0]!.origin === 'heartbeat' && !this.parts.useTools) {
      return { ...nothing, outcome: 'silent', reason: 'no-tools', endedAt: new Date() };
    }
    const spend = this.parts.spend.decide(claim.personId);
    if (spend !== 'proceed') {
      const isMessage = claim.burst[0]!.origin === 'message';
      const ended = isMessage
        ? { outcome: 'apologised' as const, reply: SPENT }
        : { outcome: 'dropped' as const, reply: null };
      const details = { ...nothing.details, gate: `apologised: ${spend}` };
      return { ...nothing, ...ended, details, reason: spend, endedAt: new Date() };
    }
    return this.#answer(claim, { turnId, personName, startedAt }, signal);
  }

  async #answer(
    claim: Claim,
    shell: { turnId: string; personName: string; startedAt: Date },
    signal: AbortSignal,
  ): Promise<FinishedTurn> {
    const { parts } = this;
    const { turnId, personName, startedAt } = shell;
    const last = claim.burst.at(-1)!;
    const now = isHistory(last) ? last.sentAt : startedAt;
    const started = performance.now();
    const context = await composeContext(parts, claim, now);
    const composeMs = Math.round(performance.now() - started);
    noteServices(parts, context.degraded);
    signal.throwIfAborted();
    const ids = idsOf(claim);
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
      personName,
      kind: claim.kind,
      said: claim.burst.filter(({ deleted }) => !deleted).map(({ text }) => text),
      origin: last.origin,
      now,
      maxTokens: parts.maxPromptTokens,
    });
    step('prompt-built');
    const question = {
      messages: prompt.messages,
      maxTokens: parts.maxReplyTokens,
      tools: parts.useTools && parts.messenger.isReachable ? toolsOf(parts, claim, now) : [],
    };
    const { thought, silence } = await this.#think(claim, turnId, question, signal);
    noteModels(parts, parts.roles.chat, thought);
    if (thought.usage) {
      parts.spend.add(claim.personId, thought.usage.promptTokens + thought.usage.completionTokens);
    }
    return {
      ...shell,
      ...(silence === null
        ? outcomeOf(thought.text, thought.problem, last.origin)
        : { outcome: 'silent' as const, reason: silence, reply: null }),
      companionName: context.companion.name,
      model: thought.model,
      rehearsal: thought.model === 'rehearsal',
      degraded: thought.text === null && silence === null ? [...context.degraded, 'model'] : context.degraded,
      usage: thought.usage,
      recalled: context.recalled,
      mood: context.mood,
      details: {
        ...claimOf(claim),
        gate: 'proceed',
        promptTokens: prompt.tokens,
        tries: thought.tries,
        tools: thought.tools,
        timings: {
          composeMs,
          firstTokenMs: thought.firstTokenMs === null ? null : Math.round(thought.firstTokenMs),
        },
      },
      endedAt: new Date(),
    };
  }

  /** Whoever waits for an answer sees each token as it comes; of what it writes by itself nobody does. */
  async #think(claim: Claim, turnId: string, question: Question, signal: AbortSignal): Promise<FirstWords> {
    const { chat } = this.parts.roles;
    switch (claim.burst.at(-1)!.origin) {
      case 'outreach':
        return writeFirst(chat, question, signal);
      case 'heartbeat':
        return { thought: await think(chat, question, signal, UNSEEN), silence: null };
      case 'message':
        return { thought: await this.#reply(claim, turnId, question, signal), silence: null };
    }
  }

  /** Answers a person, who sees each token as it comes. */
  async #reply(claim: Claim, turnId: string, question: Question, signal: AbortSignal): Promise<Thought> {
    const { events, roles } = this.parts;
    const { conversationId } = claim;
    const ids = idsOf(claim);
    return think(roles.chat, question, signal, {
      onToken: (text) => events.publish(conversationId, { ...ids, event: { type: 'token', turnId, text } }),
      onRestart: () => events.publish(conversationId, { ...ids, event: { type: 'restart', turnId } }),
    });
  }

  #tell(claim: Claim, turn: FinishedTurn): void {
    const { inboxIds, messageIds } = idsOf(claim);
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

/** A store that does not answer, which no message can be blamed for. */
function isAway(error: unknown): boolean {
  return error instanceof AppError && error.code === 'unavailable';
}

/** The claim, as the trace keeps it. */
function claimOf({ claimedAt, leaseToken }: Claim): Record<string, unknown> {
  return { claimedAt: claimedAt.toISOString(), leaseToken: String(leaseToken) };
}

function idsOf(claim: Claim): { inboxIds: string[]; messageIds: string[] } {
  return {
    inboxIds: claim.burst.map((message) => String(message.id)),
    messageIds: claim.burst.map((message) => message.externalId),
  };
}

/** Does a newer message of the same person take the turn over before it ends, rather than wait for it? */
function mayBeOvertaken({ burst, poison }: Claim): boolean {
  const first = burst[0]!;
  return (
    CHAT_DOORS.has(first.door) &&
    first.origin === 'message' &&
    !first.stopped &&
    !poison &&
    burst.every(({ overtaken }) => overtaken < MOST_OVERTAKEN)
  );
}

/** An apology answers a person; nobody is owed one for a message that the companion meant to start. */
function outcomeOf(
  text: string | null,
  problem: string | null,
  origin: TurnOrigin,
): Pick<FinishedTurn, 'outcome' | 'reason' | 'reply'> {
  // What a companion thinks by itself is its own.
  if (origin === 'heartbeat') return { outcome: 'silent', reason: problem ?? 'thought', reply: null };
  if (text !== null) return { outcome: 'answered', reason: null, reply: text };
  if (origin === 'outreach') return { outcome: 'dropped', reason: problem, reply: null };
  return { outcome: 'apologised', reason: problem, reply: APOLOGY };
}
