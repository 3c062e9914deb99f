import {
  estimatePrompt,
  ModelChainError,
  textOf,
  type CallAccount,
  type ChatMessage,
  type ModelCards,
  type ModelRole,
  type ModelTry,
  type ToolCall,
  type ToolDefinition,
} from '@kith/llm';
import type { TurnHooks } from '../hooks/turn-hooks.js';
import type { StepLog, StepRow } from '../steps/step-log.js';
import type { ShownMemory } from '../steps/step-words.js';
import { shortResult } from '../tools/mark-result.js';
import type { ToolRunner } from '../tools/tool-runner.js';
import { findBound, freshCalls, signatureOf, type Bound, type ReasoningLimits } from './reasoning-bounds.js';
import { ReplyWriter, type TokenListener } from './reply-writer.js';
import { ToolSteps, type TracedCall } from './tool-steps.js';
import type { Effects } from './turn-effects.js';

/** Answer of a model, or the lack of one. */
export interface Thought {
  /** Text of the answer; null when no model answered, and the apology is due. */
  text: string | null;
  model: string | null;
  /** Tokens of all steps together, of this try and of earlier ones. */
  tokens: number;
  /** US dollars of the same, and of calls that failed, as far as prices are known. */
  cost: number;
  /** Reason for which there is no text. */
  problem: ModelChainError['message'] | null;
  tries: ModelTry[];
  tools: TracedCall[];
  /** Effects that they had. */
  effects: Effects;
  /** Bound at which it was asked for a text; null where it came to one by itself. */
  bound: Bound | null;
  /** Last step, where it thought before it spoke: committed with the turn. */
  last: StepRow | null;
  firstTokenMs: number | null;
}

/** Prompt, with the means to answer it. */
export interface Question {
  messages: ChatMessage[];
  maxTokens: number;
  /** Most tokens of any prompt, tools' results included. */
  room: number;
  /** Tools that the model is offered. */
  definitions: readonly ToolDefinition[];
  /** Carries out the tools that the model may call. */
  tools: ToolRunner;
  /** Steps of the turn, of this try and of earlier ones. */
  steps: StepLog;
  /** Memories that tools have shown. */
  shown: ShownMemory[];
  limits: ReasoningLimits;
  /** Person and turn that the answer is for. */
  account: CallAccount;
  hooks: TurnHooks;
  cards: Pick<ModelCards, 'costOf'>;
  /** Hosts that links in what it writes may lead to. */
  linkHosts: readonly string[];
}

/**
 * Lets the models of a role answer, telling tokens as they come. Each call of tools leads to another step; at a bound a
 * text is asked for without tools. Goes on after the last step of an earlier try. Model failures are returned, not
 * thrown.
 * @throws what `signal` was aborted with, and stops asking
 */
export async function think(
  role: ModelRole,
  question: Question,
  signal: AbortSignal,
  listener: TokenListener,
): Promise<Thought> {
  const { steps, cards } = question;
  const writer = new ReplyWriter(role, question.linkHosts, listener);
  const calling = new ToolSteps({ ...question, signal });
  const course = new ReasoningCourse(question.messages);
  const thought: Thought = {
    text: null,
    model: null,
    tokens: 0,
    cost: 0,
    problem: null,
    tries: [],
    firstTokenMs: null,
    tools: calling.uses,
    effects: calling.effects.noted,
    bound: null,
    last: null,
  };
  const thinking = { question, signal, writer, calling, course, thought, started: performance.now() };
  for (const kept of await steps.resume()) {
    addTokens(thought, kept.model, kept);
    thought.cost += cards.costOf(kept.model, kept) ?? 0;
    course.add(await calling.resume(kept), kept.words);
  }
  while (!(await takeStepThatFits(thinking))) signal.throwIfAborted();
  return thought;
}

/** A turn's thinking that is under way. */
interface Thinking {
  question: Question;
  signal: AbortSignal;
  writer: ReplyWriter;
  calling: ToolSteps;
  course: ReasoningCourse;
  thought: Thought;
  /** When it began, by `performance.now()`. */
  started: number;
}

/**
 * Takes a step. Where no model answers, there is none after it, unless a host refused tools' results as too long: they are
 * made shorter, since what the tools did can't be done again for another prompt, and a text is asked for.
 */
async function takeStepThatFits(thinking: Thinking): Promise<boolean> {
  const { course, thought, writer } = thinking;
  try {
    return await takeStep(thinking);
  } catch (error) {
    if (!(error instanceof ModelChainError)) throw error;
    // The last model's stream may have broken; another prompt, or the apology, comes in its place.
    writer.takeBack();
    addTries(thought, error.tries);
    const isShorter = error.tries.some(({ kind }) => kind === 'too-long') && course.shorten();
    if (isShorter) thought.bound ??= 'context';
    else thought.problem = error.message;
    return !isShorter;
  }
}

/** Asks the model once, and carries out the calls that it answers with. Returns whether that was the last step. */
async function takeStep(thinking: Thinking): Promise<boolean> {
  const { question, signal, writer, calling, course, thought, started } = thinking;
  const { maxTokens, definitions, steps, limits, account, hooks } = question;
  const elapsedMs = performance.now() - started;
  const room = roomLeft(thinking);
  // The prompt left room for a first result.
  const beside = course.progress.steps === 0 ? Infinity : room;
  thought.bound ??= findBound({ ...course.progress, ...thought, elapsedMs, room: beside }, limits);
  if (thought.bound === 'cost' && course.lastText !== '') {
    writer.say(course.lastText);
    thought.text = course.lastText;
    return true;
  }
  const offered = thought.bound === null ? definitions : [];
  const request = { messages: course.said, maxTokens, signal, tools: offered };
  const reply = await writer.ask({ ...request, account, onHook: hooks.note });
  const { text, model, usage, tries, toolCalls, reasoning, thought: inner } = reply;
  thought.firstTokenMs = writer.firstTokenMs;
  addTries(thought, tries);
  addTokens(thought, model, usage);
  if (toolCalls.length === 0) {
    writer.end();
    thought.text = text;
    const words = { thought: inner, reasoning: [], text: '', calls: [] };
    if (inner !== '') thought.last = steps.row(steps.take(), words, { model, ...usage });
    return true;
  }
  writer.takeBack();
  const { calls, leftOut } = freshCalls(toolCalls, course.progress.made, room);
  if (calls.length === 0) {
    thought.bound = 'repeated';
    return false;
  }
  // The host refuses reasoning that comes back with only some of its calls.
  const kept = calls.length === toolCalls.length ? reasoning : [];
  const words = { thought: inner, reasoning: kept, text, calls, leftOut };
  course.add(await calling.take(words, { model, ...usage }), { text, calls });
  return false;
}

/** Estimates the tokens that the context has beside the next prompt; without tools nothing makes that grow. */
function roomLeft({ question, course, thought }: Thinking): number {
  const { definitions, room } = question;
  if (definitions.length === 0) return Infinity;
  return room - estimatePrompt({ messages: course.said, tools: definitions }, thought.model ?? '');
}

/** Characters of each result where a host refuses all of them as too long, and where it does so again. */
const SHORTER = [1_000, 300];

/** Course of a turn's reasoning: messages shown to the model, and its calls. */
class ReasoningCourse {
  said: readonly ChatMessage[];
  readonly progress = { steps: 0, made: new Set<string>(), sameResults: 0 };
  /** Text that the last step wrote beside its calls: the best reply so far. */
  lastText = '';
  private lastResults = '';
  private readonly shorter = [...SHORTER];

  constructor(messages: readonly ChatMessage[]) {
    this.said = messages;
  }

  /** Adds a step with its calls' results. */
  add(messages: readonly ChatMessage[], words: { text: string; calls: readonly ToolCall[] } | null): void {
    this.lastText = words?.text ?? '';
    this.said = [...this.said, ...messages];
    this.progress.steps += 1;
    for (const call of words?.calls ?? []) this.progress.made.add(signatureOf(call));
    const results = JSON.stringify(
      messages.flatMap((message) => (message.role === 'tool' ? [message.name, message.content] : [])),
    );
    this.progress.sameResults = results === this.lastResults ? this.progress.sameResults + 1 : 0;
    this.lastResults = results;
  }

  /** Makes the results of its calls shorter; returns false where there are none, or they are as short as may be. */
  shorten(): boolean {
    const max = this.progress.steps > 0 ? this.shorter.shift() : undefined;
    if (max === undefined) return false;
    this.said = this.said.map((message) =>
      message.role === 'tool' ? { ...message, content: shortResult(textOf(message.content), max) } : message,
    );
    return true;
  }
}

function addTokens(
  thought: Thought,
  model: string,
  { promptTokens, completionTokens }: { promptTokens: number; completionTokens: number },
): void {
  thought.model = model;
  thought.tokens += promptTokens + completionTokens;
}

function addTries(thought: Thought, tries: readonly ModelTry[]): void {
  thought.tries.push(...tries);
  for (const { cost = 0 } of tries) thought.cost += cost;
}
