import { ModelChainError, type ChatMessage, type ModelRole, type ModelTry } from '@kith/llm';
import type { StepLog, StepRow } from '../steps/step-log.js';
import type { ShownMemory } from '../tools/shown-memory.js';
import type { ToolRunner } from '../tools/tool-runner.js';
import { findBound, freshCalls, signatureOf, type Bound, type ReasoningLimits } from './decide-step.js';
import { ReplyWriter, type TokenListener } from './reply-writer.js';
import { ToolSteps, type ToolUse } from './tool-steps.js';

/** Answer of a model, or the lack of one. */
export interface Thought {
  /** Text of the answer; null when no model could be had, and the apology is due. */
  text: string | null;
  model: string | null;
  /** Tokens of all steps together. */
  usage: { model: string; promptTokens: number; completionTokens: number } | null;
  /** Reason for which there is no text. */
  problem: string | null;
  tries: ModelTry[];
  tools: ToolUse[];
  /** Bound at which it was asked for a text; null where it came to one by itself. */
  bound: Bound | null;
  /** Last step, where it thought before it spoke: committed with the turn. */
  last: StepRow | null;
  firstTokenMs: number | null;
}

/** Prompt, and what may be done with it. */
export interface Question {
  messages: ChatMessage[];
  maxTokens: number;
  /** Carries out the tools that the model may call. */
  tools: ToolRunner;
  /** Steps of the turn, of this try and of earlier ones. */
  steps: StepLog;
  /** Memories that tools have shown. */
  shown: ShownMemory[];
  limits: ReasoningLimits;
  /** Hosts that links in what it writes may lead to. */
  linkHosts: readonly string[];
}

/**
 * Lets the models of a role answer, telling tokens as they come, with another step while it calls tools; a text is
 * always asked for in the end. Goes on after the last step of an earlier try. Never throws for a model's sake.
 * @throws what `signal` was aborted with, and stops asking
 */
export async function think(
  role: ModelRole,
  { messages, maxTokens, tools, steps, shown, limits, linkHosts }: Question,
  signal: AbortSignal,
  listener: TokenListener,
): Promise<Thought> {
  const started = performance.now();
  const writer = new ReplyWriter(role, linkHosts, listener);
  const calling = new ToolSteps(steps, tools, shown, signal);
  const course = new Course(messages);
  const thought: Thought = {
    ...{ text: null, model: null, usage: null, problem: null, bound: null, last: null, firstTokenMs: null },
    ...{ tries: [], tools: calling.uses },
  };
  for (const kept of await steps.resume()) {
    addUsage(thought, kept.model, kept);
    course.add(await calling.resume(kept), kept.words?.calls ?? []);
  }
  try {
    for (;;) {
      thought.bound ??= findBound(
        { ...course.progress, tokens: tokensOf(thought), elapsedMs: performance.now() - started },
        limits,
      );
      const offered = thought.bound === null ? tools.definitions : [];
      const reply = await writer.ask({ messages: course.said, maxTokens, signal, tools: offered });
      const { text, model, usage, tries, toolCalls, reasoning, thought: inner } = reply;
      thought.firstTokenMs = writer.firstTokenMs;
      thought.tries.push(...tries);
      addUsage(thought, model, usage);
      if (toolCalls.length === 0) {
        writer.end();
        thought.text = text;
        if (inner !== '')
          thought.last = steps.row(
            steps.take(),
            { thought: inner, reasoning: [], text: '', calls: [] },
            { model, ...usage },
          );
        return thought;
      }
      writer.takeBack();
      const calls = freshCalls(toolCalls, course.progress.made);
      // It led to all of the calls: beside some of them its host refuses it.
      const kept = calls.length === toolCalls.length ? reasoning : [];
      if (calls.length === 0) thought.bound = 'repeated';
      else
        course.add(
          await calling.take({ thought: inner, reasoning: kept, text, calls }, { model, ...usage }),
          calls,
        );
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!(error instanceof ModelChainError)) throw error;
    return { ...thought, problem: error.message, tries: [...thought.tries, ...error.tries] };
  }
}

/** Course of a turn's reasoning: what the model has been shown, and what it called. */
class Course {
  said: readonly ChatMessage[];
  readonly progress = { steps: 0, made: new Set<string>(), sameResults: 0 };
  private lastResults = '';

  constructor(messages: readonly ChatMessage[]) {
    this.said = messages;
  }

  /** Adds a step with what its calls told. */
  add(
    messages: readonly ChatMessage[],
    calls: readonly { name: string; arguments: Record<string, unknown> }[],
  ): void {
    this.said = [...this.said, ...messages];
    this.progress.steps += 1;
    for (const call of calls) this.progress.made.add(signatureOf(call));
    const results = JSON.stringify(
      messages.flatMap((message) => (message.role === 'tool' ? [message.name, message.content] : [])),
    );
    this.progress.sameResults = results === this.lastResults ? this.progress.sameResults + 1 : 0;
    this.lastResults = results;
  }
}

function addUsage(
  thought: Thought,
  model: string,
  { promptTokens, completionTokens }: { promptTokens: number; completionTokens: number },
): void {
  const { usage } = thought;
  thought.model = model;
  thought.usage = {
    model,
    promptTokens: (usage?.promptTokens ?? 0) + promptTokens,
    completionTokens: (usage?.completionTokens ?? 0) + completionTokens,
  };
}

function tokensOf({ usage }: Thought): number {
  return usage ? usage.promptTokens + usage.completionTokens : 0;
}
