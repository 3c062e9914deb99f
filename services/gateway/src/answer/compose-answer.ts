import type { EpochFindings, ToolQuestion } from '@kith/contracts';
import { step } from '@kith/service-host';
import type { Claim } from '../inbox/claim.js';
import { StepLog } from '../steps/step-log.js';
import { viewQuestion } from '../tools/permission/view-question.js';
import type { ShownMemory } from '../tools/shown-memory.js';
import { authorityOf } from '../tools/turn-authority.js';
import { toolsOf } from '../tools/turn-tools.js';
import { maySee, mayUseTools, type AnswerParts } from './answer-parts.js';
import { assemblePrompt, type Prompt, type PromptInput } from './assemble-prompt.js';
import { composeContext, type TurnContext } from './compose-context.js';
import { isHistory, type FinishedTurn } from './finished-turn.js';
import { noteModels, noteServices } from './note-degraded.js';
import { picturesOf } from './pictures-of.js';
import { budgetOf } from './prompt-budget.js';
import { think, type Question, type Thought } from './think.js';
import { talkTokens } from './talk-tokens.js';
import { claimOf, idsOf, outcomeOf } from './turn-outcome.js';
import { UNSEEN, writeOutreach, type OutreachDraft } from './write-outreach.js';

/** Composes the context, assembles the prompt and asks the model: the answer of a turn that the gate let through. */
export async function composeAnswer(
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
  const [composed, outcomes, pictures] = await Promise.all([
    composeContext(parts, claim, now, budget.limit),
    parts.toolDesk.outcomes(
      claim.personId,
      claim.earlier.map((line) => line.turnId),
    ),
    maySee(parts.roles) ? picturesOf(parts.pictures, claim, signal) : [],
  ]);
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
    outcomes,
    pictures,
    origin: last.origin,
    now,
    budget,
  });
  step('prompt-built');
  const beside = context.passages.flatMap(({ lines }) => lines).filter(({ isFound }) => !isFound);
  const alsoShown: ShownMemory[] = beside.map(({ id, sources }) => ({ id, sources }));
  const authority = authorityOf(claim, turnId, startedAt);
  const hasTools = mayUseTools(parts) && parts.messenger.canAsk;
  const tools = await parts.toolDesk.runnerFor(
    authority,
    hasTools ? toolsOf(parts, claim, authority, context, now, alsoShown) : null,
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
    noticed: { fullness: prompt.fullness, unsettled: context.contradictions.length },
    details: {
      ...claimOf(claim),
      gate: 'proceed',
      ...(pictures.length > 0 && { pictures: pictures.length }),
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
    const ended = await epochs.reset(
      claim,
      talkTokens(prompt.room, budget.limit),
      budget.exact ?? budget.count,
    );
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

/** Puts the questions below the reply, in our own words: no model words what somebody consents to. */
function withQuestions(text: string | null, questions: readonly ToolQuestion[]): string | null {
  return text === null ? null : [text, ...questions.map((question) => question.text)].join('\n\n');
}
