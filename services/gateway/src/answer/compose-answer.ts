import { type ChatEvent, type EpochFindings, lastOf, type TurnOrigin } from '@kith/contracts';
import type { ModelRole, ModelTry, ToolDefinition } from '@kith/llm';
import { step } from '@kith/service-host';
import type { TurnHooks } from '../hooks/turn-hooks.js';
import type { Claim } from '../inbox/claim.js';
import { readQuoted } from '../inbox/read-quoted.js';
import { StepLog } from '../steps/step-log.js';
import type { ShownMemory } from '../steps/step-words.js';
import { piecesBesideRecalled } from '../tools/memory-parts.js';
import { viewQuestion } from '../tools/permission/view-question.js';
import type { ToolRunner } from '../tools/tool-runner.js';
import { authorityOf } from '../tools/turn-authority.js';
import { toolsOf } from '../tools/turn-tools.js';
import { maySee, mayUseTools, type AnswerParts } from './answer-parts.js';
import { assemblePrompt, talkTokens, type Prompt, type PromptInput } from './assemble-prompt.js';
import { composeContext, type TurnContext } from './compose-context.js';
import { asShown, finishTurn, type ModelAnswer, type TurnInputs } from './finish-turn.js';
import { newestQuotes, picturesThatFit } from './cut-said.js';
import { isHistory, type FinishedTurn } from './finished-turn.js';
import { noteModels, noteServices } from './degraded-notes.js';
import { budgetOf, toolsWithin, type PromptBudget } from './prompt-budget.js';
import { readSilence } from './read-silence.js';
import { think, type Question } from './think.js';
import { idsOf } from './turn-outcome.js';
import { UNSEEN, writeOutreach, type OutreachDraft } from './write-outreach.js';

/** Sends an event of a turn to its conversation's doors. */
type SendEvent = (event: ChatEvent) => void;

/** Beginning of a turn that the gate let through. */
export interface TurnShell {
  turnId: string;
  personName: string;
  startedAt: Date;
  hooks: TurnHooks;
  /** Lines that hooks add to the prompt. */
  lines: readonly string[];
}

/** Times that a prompt is made shorter in one turn: each takes a third of it or so. */
const MAX_SHORTER = 3;

/** Composes the context, assembles the prompt and asks the model: the answer of a turn that the gate let through. */
export async function composeAnswer(
  parts: AnswerParts,
  claim: Claim,
  shell: TurnShell,
  signal: AbortSignal,
): Promise<FinishedTurn> {
  const ids = idsOf(claim);
  const tell: SendEvent = (event) => parts.events.publish(claim.conversationId, { ...ids, event });
  const tries: ModelTry[] = [];
  let current = claim;
  let findings: EpochFindings | null = null;
  for (let left = MAX_SHORTER; ; left -= 1) {
    const inputs = await gatherInputs(parts, current, shell, signal, tell);
    const answer = await askModel(parts, inputs, shell.hooks, signal, tell);
    const { prompt, context } = inputs;
    tries.push(...answer.thought.tries);
    // A second end of the same epoch would change nothing.
    if (inputs.findings) {
      const { epoch, kept, earlier } = context;
      current = { ...current, epoch, kept, earlier };
      findings = inputs.findings;
    }
    if (left === 0 || !canBeShorter(parts, inputs, answer)) {
      const thought = { ...answer.thought, tries };
      return finishTurn({ ...inputs, findings }, { ...answer, thought }, new Date());
    }
    const details = { turnId: shell.turnId, promptTokens: prompt.tokens, tries };
    parts.logger.warn(details, 'a model holds less than its card says; see MODEL_CARDS');
  }
}

/** Tells whether another prompt may do where a host has refused this one as too long, which its model's card knows now. */
function canBeShorter(
  { roles, maxPromptTokens, maxReplyTokens }: AnswerParts,
  { budget }: AllInputs,
  { thought: { problem, tools, tries } }: ModelAnswer,
): boolean {
  // What tools were to do was done for the first one.
  if (problem === null || tools.length > 0 || !tries.some(({ kind }) => kind === 'too-long')) return false;
  return budgetOf(roles, { maxPromptTokens, maxReplyTokens }).room < budget.room;
}

/** Inputs of a turn, and those of its tools. */
interface AllInputs extends TurnInputs {
  /** Time of the answered messages: imported history keeps its own. */
  now: Date;
  budget: PromptBudget;
  tools: ToolRunner;
  /** Tools that the prompt has room for. */
  definitions: readonly ToolDefinition[];
  /** Memories that the prompt shows beside the recalled ones, apart from those in every prompt. Tools add to it. */
  shown: ShownMemory[];
}

/** Gathers all that the prompt needs, tells the doors that the turn has begun, and assembles the prompt. */
async function gatherInputs(
  parts: AnswerParts,
  claim: Claim,
  { turnId, personName, startedAt, lines }: TurnShell,
  signal: AbortSignal,
  tell: SendEvent,
): Promise<AllInputs> {
  const { conversationId, personId } = claim;
  const last = lastOf(claim.burst);
  const now = isHistory(last) ? last.sentAt : startedAt;
  const started = performance.now();
  const plain = budgetOf(parts.roles, parts);
  const { limit, count } = plain;
  const said = claim.burst.filter(({ deleted }) => !deleted).map(({ text }) => text);
  const sent = maySee(parts.roles) ? claim.pictures : [];
  const fitting = picturesThatFit(sent, said, plain);
  const turnIds = claim.earlier.map((line) => line.turnId);
  const [composed, outcomes, read, quotes] = await Promise.all([
    composeContext(parts, claim, now, limit),
    claim.wasAsked ? parts.permittedTools.outcomes(personId, turnIds) : [],
    Promise.all(fitting.map(({ url }) => parts.pictures.read(url, signal))),
    readQuoted(parts.database, claim),
  ]);
  // One that can't be read is left out: its message still has a note of it.
  const pictures = read.filter((picture) => picture !== null);
  const quoted = newestQuotes(quotes, limit, count);
  const composeMs = Math.round(performance.now() - started);
  noteServices(parts, composed.degraded);
  signal.throwIfAborted();
  const { recalled, mood, degraded } = composed;
  const { messageIds } = idsOf(claim);
  tell({ type: 'turn', turnId, conversationId, messageIds, recalled, mood, degraded });
  const { inPassages, inEveryPrompt } = piecesBesideRecalled(composed);
  const shown = inPassages.map(asShown);
  const authority = authorityOf(claim, turnId, startedAt);
  const hasTools = mayUseTools(parts) && parts.messenger.canAsk;
  const outfit = (context: TurnContext) =>
    parts.permittedTools.runnerFor(
      authority,
      hasTools ? toolsOf(parts, claim, authority, { ...context, quoted, now }, shown) : null,
    );
  const before = await outfit(composed);
  const definitions = toolsWithin(before.definitions, plain);
  const budget = budgetOf(parts.roles, parts, definitions);
  const told = await promptFor(parts, claim, {
    context: composed,
    personName,
    outcomes,
    pictures,
    lines,
    now,
    budget,
    kind: claim.kind,
    said,
    quotes: quoted,
    unseen: sent.length - fitting.length,
    origin: last.origin,
    isPrivate: claim.isPrivate,
    silence: readSilence(claim),
  });
  step('prompt-built');
  return {
    claim,
    turnId,
    personName,
    startedAt,
    now,
    budget,
    quoted,
    composeMs,
    definitions,
    shown,
    ...told,
    inEveryPrompt,
    pictures: pictures.length,
    // If the epoch has just ended, notes have other source lines.
    tools: told.context === composed ? before : await outfit(told.context),
  };
}

/** Asks the model, has hooks read its answer, and tells the doors what they have not seen yet. */
async function askModel(
  parts: AnswerParts,
  { claim, turnId, prompt, budget, tools, definitions, shown }: AllInputs,
  hooks: TurnHooks,
  signal: AbortSignal,
  tell: SendEvent,
): Promise<ModelAnswer> {
  const { conversationId, companionId, personId } = claim;
  const { origin } = lastOf(claim.burst);
  const question = {
    messages: prompt.messages,
    maxTokens: budget.replyTokens,
    room: budget.room,
    linkHosts: parts.linkHosts,
    steps: new StepLog(parts.database, parts.cipher, claim, turnId),
    shown,
    limits: parts.reasoning,
    account: { turnId, conversationId, companionId, personId },
    hooks,
    cards: parts.roles.cards,
    tools,
    definitions,
  };
  const { thought, silence } = await thinkFor(parts.roles.chat, origin, question, signal, tell);
  noteModels(parts, parts.roles.chat, thought);
  const said = thought.text;
  // A heartbeat says nothing.
  const isSaid = said !== null && origin !== 'heartbeat';
  const { text, refusal } = isSaid ? await hooks.reply(said) : { text: said, refusal: null };
  const isTold = text !== null && !refusal;
  // Tool questions appear below the reply. Without a reply nobody would see what they approve, so withdraw them.
  if (!isTold) await parts.permittedTools.withdraw(claim, turnId);
  const questions = isTold ? tools.questions.map(viewQuestion) : [];
  if (isTold && origin === 'message') {
    const held = hooks.holdReply ? [text] : [];
    for (const told of [...held, ...questions.map((asked) => `\n\n${asked.text}`)])
      tell({ type: 'token', turnId, text: told });
  }
  return { thought, silence, text, refusal, questions, shown };
}

/**
 * Assembles the prompt. Where the talk does not fit it any more, its epoch ends, and the prompt is assembled again. A
 * heartbeat ends no epoch: it is shown few lines anyway.
 */
async function promptFor(
  { epochs, logger }: Pick<AnswerParts, 'epochs' | 'logger'>,
  claim: Claim,
  input: PromptInput,
): Promise<{ prompt: Prompt; context: TurnContext; findings: EpochFindings | null }> {
  const { context, budget, origin } = input;
  const prompt = assemblePrompt(input);
  if (!prompt.isOver || origin === 'heartbeat') return { prompt, context, findings: null };
  try {
    const tokens = talkTokens(prompt.room, budget.limit);
    const ended = await epochs.reset(claim, tokens, budget.exact ?? budget.count);
    if (ended === null) return { prompt, context, findings: null };
    const shorter = { ...input, context: { ...context, ...ended.talk } };
    return { prompt: assemblePrompt(shorter), context: shorter.context, findings: ended.findings };
  } catch (error) {
    // The newest lines fit as they are; the next turn tries again.
    logger.warn({ err: error, conversationId: claim.conversationId }, 'an epoch could not be ended');
    return { prompt, context, findings: null };
  }
}

/**
 * Asks the model. Whoever waits for an answer sees each token as it comes, unless a hook is to read the whole first.
 * Outreach is shown only once it is whole, a heartbeat never.
 */
async function thinkFor(
  chat: ModelRole,
  origin: TurnOrigin,
  question: Question,
  signal: AbortSignal,
  tell: SendEvent,
): Promise<OutreachDraft> {
  if (origin === 'outreach') return writeOutreach(chat, question, signal);
  const { turnId } = question.steps;
  const isSeen = origin === 'message' && !question.hooks.holdReply;
  const listener = {
    onToken: (text: string) => tell({ type: 'token', turnId, text }),
    onRestart: () => tell({ type: 'restart', turnId }),
  };
  return { thought: await think(chat, question, signal, isSeen ? listener : UNSEEN), silence: null };
}
