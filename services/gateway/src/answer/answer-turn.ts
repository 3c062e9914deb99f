import type { EpochFindings, ToolQuestion, TurnOrigin } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { ModelRoles } from '@kith/llm';
import type { Messenger } from '@kith/messaging';
import { step, type DegradedStates } from '@kith/service-host';
import type { Logger } from 'pino';
import type { PersonNames } from '../people/person-names.js';
import type { SpendMeter } from '../safety/spend-meter.js';
import type { EpochKeeper } from '../epochs/epoch-keeper.js';
import { assemblePrompt, type Prompt, type PromptInput } from './assemble-prompt.js';
import { composeContext, type RecentMoods, type TurnContext } from './compose-context.js';
import { budgetOf, type TokenLimits } from './prompt-budget.js';
import { decideGate } from './decide-gate.js';
import { noteModels, noteServices } from './note-degraded.js';
import { mindState, readMind, remindOfTasks } from './heartbeat-rules.js';
import type { ReasoningLimits } from './decide-step.js';
import { think, type Question, type Thought } from './think.js';
import { StepLog } from '../steps/step-log.js';
import type { ThoughtCipher } from '../steps/thought-cipher.js';
import type { ShownMemory } from '../tools/shown-memory.js';
import { viewQuestion } from '../tools/permission/view-question.js';
import type { ToolDesk } from '../tools/tool-desk.js';
import { authorityOf } from '../tools/turn-authority.js';
import { toolsOf } from '../tools/turn-tools.js';
import type { TurnEvents } from '../signals/turn-events.js';
import { UNSEEN, writeOutreach, type OutreachDraft } from './write-outreach.js';
import { isHistory, type FinishedTurn } from './finished-turn.js';
import type { Claim } from '../inbox/claim.js';

/** Parts that answering needs. */
export interface AnswerParts extends TokenLimits {
  database: Database;
  messenger: Messenger;
  roles: ModelRoles;
  names: PersonNames;
  events: TurnEvents;
  recent: RecentMoods;
  epochs: EpochKeeper;
  spend: SpendMeter;
  states: DegradedStates;
  logger: Logger;
  /** Encrypts what is kept of thoughts and tools. */
  cipher: ThoughtCipher;
  reasoning: ReasoningLimits;
  /** An operator has this companion answer nobody. */
  isPaused: (companionId: string) => Promise<boolean>;
  /** The model may call tools; undefined: where all of them are known to take them. */
  useTools: boolean | undefined;
  /** Gives a turn its tools. */
  toolDesk: Pick<ToolDesk, 'runnerFor' | 'withdraw'>;
  /** Hosts that links in replies may lead to. */
  linkHosts: readonly string[];
}

/** Fixed words: they need no model, no Redis and no vector store. */
const APOLOGY =
  "I'm sorry, I can't think straight right now, so I won't make something up. Your message is safe; please try again in a little while.";

/** The same, when the day's tokens are spent. */
const SPENT = "I've talked so much today that I have to rest until tomorrow. Your message is safe with me.";

/**
 * Comes to a turn's outcome, which is neither committed nor told yet: without a model where the claim, the gate or
 * what was spent today says so.
 * @throws TurnInterrupted once `signal` is aborted
 */
export async function answerTurn(
  parts: AnswerParts,
  claim: Claim,
  turnId: string,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const startedAt = new Date();
  if (claim.poison) return apologyFor(claim, turnId, startedAt);
  const nothing = nothingSaid(claim, turnId, startedAt, await parts.names.of(claim.personId));
  const gate = decideGate(claim, startedAt, await parts.isPaused(claim.companionId));
  if (gate.kind !== 'proceed') {
    const details = { ...nothing.details, gate: `${gate.kind}: ${gate.reason}` };
    return { ...nothing, details, outcome: gate.kind, reason: gate.reason, endedAt: new Date() };
  }
  if (claim.burst[0]!.origin === 'heartbeat') {
    return thinkAlone(parts, claim, { turnId, personName: nothing.personName, startedAt }, nothing, signal);
  }
  const spend = parts.spend.decide(claim.personId);
  if (spend !== 'proceed') {
    const isMessage = claim.burst[0]!.origin === 'message';
    const ended = isMessage
      ? { outcome: 'apologised' as const, reply: SPENT }
      : { outcome: 'dropped' as const, reply: null };
    const details = { ...nothing.details, gate: `apologised: ${spend}` };
    return { ...nothing, ...ended, details, reason: spend, endedAt: new Date() };
  }
  return composeAnswer(parts, claim, { turnId, personName: nothing.personName, startedAt }, signal);
}

/**
 * Takes a heartbeat: first what rules can do, then the model where it may use tools and somebody's budget allows. The
 * state before and after is kept with the run.
 */
async function thinkAlone(
  parts: AnswerParts,
  claim: Claim,
  shell: { turnId: string; personName: string; startedAt: Date },
  nothing: ReturnType<typeof nothingSaid>,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const { messenger } = parts;
  const mind = messenger.canAsk ? await readMind(messenger, claim).catch(() => null) : null;
  if (!mind) return { ...nothing, outcome: 'silent', reason: 'no-memory', endedAt: new Date() };
  const before = mindState(mind.tasks, mind.core);
  const reminders = await remindOfTasks(messenger, claim, mind.tasks, shell.startedAt).catch(() => 0);
  const thinks = mayUseTools(parts) && parts.spend.decide(claim.personId) === 'proceed';
  const turn: FinishedTurn = thinks
    ? await composeAnswer(parts, claim, shell, signal)
    : { ...nothing, outcome: 'silent', reason: 'rules', endedAt: new Date() };
  const after = thinks ? await readMind(messenger, claim).catch(() => mind) : mind;
  const heartbeat = { reminders, before, after: mindState(after.tasks, after.core) };
  return { ...turn, details: { ...turn.details, heartbeat }, endedAt: new Date() };
}

/** Tells whether tools are offered: every model of the chain has to take them, since any of them may answer. */
function mayUseTools({ useTools, roles }: Pick<AnswerParts, 'useTools' | 'roles'>): boolean {
  if (useTools !== undefined) return useTools;
  const models = roles.chat.models.filter((model) => model !== 'rehearsal');
  return models.length > 0 && models.every((model) => roles.cards.of(model).tools);
}

/** Ends a message that nobody could answer. Asks nothing of anybody: whatever failed it must not fail this. */
export function apologyFor(claim: Claim, turnId: string, now: Date): FinishedTurn {
  const isMessage = claim.burst[0]!.origin === 'message';
  return {
    ...nothingSaid(claim, turnId, now, ''),
    outcome: isMessage ? 'apologised' : 'dropped',
    reply: isMessage ? APOLOGY : null,
    reason: 'poison',
    endedAt: now,
  };
}

function nothingSaid(claim: Claim, turnId: string, startedAt: Date, personName: string) {
  return {
    turnId,
    personName,
    companionName: claim.companionId,
    reply: null,
    model: null,
    rehearsal: false,
    degraded: [],
    usage: null,
    questions: [],
    lastStep: null,
    recalled: [],
    mood: null,
    details: claimOf(claim),
    startedAt,
  };
}

async function composeAnswer(
  parts: AnswerParts,
  claim: Claim,
  shell: { turnId: string; personName: string; startedAt: Date },
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const { turnId, personName, startedAt } = shell;
  const last = claim.burst.at(-1)!;
  const now = isHistory(last) ? last.sentAt : startedAt;
  const started = performance.now();
  const budget = budgetOf(parts.roles, parts);
  const composed = await composeContext(parts, claim, now, budget.limit);
  const composeMs = Math.round(performance.now() - started);
  noteServices(parts, composed.degraded);
  signal.throwIfAborted();
  const ids = idsOf(claim);
  parts.events.publish(claim.conversationId, {
    inboxIds: ids.inboxIds,
    event: {
      type: 'turn',
      turnId,
      conversationId: claim.conversationId,
      messageIds: ids.messageIds,
      recalled: composed.recalled,
      mood: composed.mood,
      degraded: composed.degraded,
    },
  });
  const { prompt, context, findings } = await promptFor(parts, claim, {
    context: composed,
    personName,
    kind: claim.kind,
    said: claim.burst.filter(({ deleted }) => !deleted).map(({ text }) => text),
    quotes: claim.burst.flatMap(({ quote, deleted }) => (quote && !deleted ? [quote] : [])),
    origin: last.origin,
    now,
    budget,
  });
  step('prompt-built');
  const beside = context.passages.flatMap(({ lines }) => lines).filter(({ isFound }) => !isFound);
  const alsoShown: ShownMemory[] = beside.map(({ id, sources }) => ({ id, sources }));
  const tools = await parts.toolDesk.runnerFor(
    authorityOf(claim, turnId, startedAt),
    mayUseTools(parts) && parts.messenger.canAsk ? toolsOf(parts, claim, context, now, alsoShown) : null,
  );
  const question = {
    messages: prompt.messages,
    maxTokens: budget.replyTokens,
    linkHosts: parts.linkHosts,
    steps: new StepLog(parts.database, parts.cipher, claim, turnId),
    shown: alsoShown,
    limits: parts.reasoning,
    tools,
  };
  const { thought, silence } = await thinkFor(parts, claim, turnId, question, signal);
  const questions = tools.questions.map(viewQuestion);
  if (thought.text !== null && last.origin === 'message') {
    for (const { text } of questions) {
      parts.events.publish(claim.conversationId, {
        ...ids,
        event: { type: 'token', turnId, text: `\n\n${text}` },
      });
    }
  }
  noteModels(parts, parts.roles.chat, thought);
  if (thought.usage) {
    parts.spend.add(claim.personId, thought.usage.promptTokens + thought.usage.completionTokens);
  }
  return {
    ...shell,
    ...(silence === null
      ? outcomeOf(withQuestions(thought.text, questions), thought.problem, last.origin)
      : { outcome: 'silent' as const, reason: silence, reply: null }),
    companionName: context.companion.name,
    model: thought.model,
    rehearsal: thought.model === 'rehearsal',
    degraded: thought.text === null && silence === null ? [...context.degraded, 'model'] : context.degraded,
    usage: thought.usage,
    questions,
    lastStep: thought.last,
    recalled: context.recalled,
    mood: context.mood,
    details: {
      ...claimOf(claim),
      gate: 'proceed',
      promptTokens: prompt.tokens,
      promptLimit: budget.limit,
      view: prompt.from === null ? null : { epoch: context.epoch?.id ?? null, from: String(prompt.from) },
      compaction: findings,
      tries: thought.tries,
      tools: thought.tools,
      ...(thought.bound && { bound: thought.bound }),
      alsoShown,
      timings: {
        composeMs,
        firstTokenMs: thought.firstTokenMs === null ? null : Math.round(thought.firstTokenMs),
      },
    },
    endedAt: new Date(),
  };
}

/** Assembles the prompt. Where the talk does not fit it any more, its epoch ends, and the prompt is assembled again. */
async function promptFor(
  { epochs, logger }: Pick<AnswerParts, 'epochs' | 'logger'>,
  claim: Claim,
  input: PromptInput,
): Promise<{ prompt: Prompt; context: TurnContext; findings: EpochFindings | null }> {
  const { context, budget } = input;
  const prompt = assemblePrompt(input);
  if (!prompt.isOver) return { prompt, context, findings: null };
  try {
    const ended = await epochs.reset(claim, budget.limit, budget.exact ?? budget.count);
    if (ended === null) return { prompt, context, findings: null };
    const shorter = { ...context, ...ended.talk };
    return {
      prompt: assemblePrompt({ ...input, context: shorter }),
      context: shorter,
      findings: ended.findings,
    };
  } catch (error) {
    // The newest lines fit as they are; the next turn tries again.
    logger.warn({ err: error, conversationId: claim.conversationId }, 'an epoch could not be ended');
    return { prompt, context, findings: null };
  }
}

/**
 * Asks the model. Whoever waits for an answer sees each token as it comes; outreach is seen by nobody before its end.
 */
async function thinkFor(
  parts: AnswerParts,
  claim: Claim,
  turnId: string,
  question: Question,
  signal: AbortSignal,
): Promise<OutreachDraft> {
  const { chat } = parts.roles;
  switch (claim.burst.at(-1)!.origin) {
    case 'outreach':
      return writeOutreach(chat, question, signal);
    case 'heartbeat':
      return { thought: await think(chat, question, signal, UNSEEN), silence: null };
    case 'message':
      return { thought: await reply(parts, claim, turnId, question, signal), silence: null };
  }
}

/** Answers a person, who sees each token as it comes. */
async function reply(
  parts: AnswerParts,
  claim: Claim,
  turnId: string,
  question: Question,
  signal: AbortSignal,
): Promise<Thought> {
  const { events, roles } = parts;
  const { conversationId } = claim;
  const ids = idsOf(claim);
  return think(roles.chat, question, signal, {
    onToken: (text) => events.publish(conversationId, { ...ids, event: { type: 'token', turnId, text } }),
    onRestart: () => events.publish(conversationId, { ...ids, event: { type: 'restart', turnId } }),
  });
}

/** Notes the claim for the trace. */
function claimOf({ claimedAt, leaseToken }: Claim): Record<string, unknown> {
  return { claimedAt: claimedAt.toISOString(), leaseToken: String(leaseToken) };
}

/** Lists the ids by which the doors know a turn's messages. */
export function idsOf(claim: Claim): { inboxIds: string[]; messageIds: string[] } {
  return {
    inboxIds: claim.burst.map((message) => String(message.id)),
    messageIds: claim.burst.map((message) => message.externalId),
  };
}

/** Puts the questions below the reply, in our own words: no model words what somebody consents to. */
function withQuestions(text: string | null, questions: readonly ToolQuestion[]): string | null {
  return text === null ? null : [text, ...questions.map((question) => question.text)].join('\n\n');
}

/** Decides a turn's outcome: a person gets an apology, a message that the companion meant to start is dropped. */
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
