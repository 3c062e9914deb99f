import { storableText } from '@kith/contracts';
import {
  ModelChainError,
  type ChatMessage,
  type ModelRole,
  type ModelTry,
  type Reasoning,
  type ToolCall,
} from '@kith/llm';
import { step } from '@kith/service-host';
import { LinkFilter, plainLinks } from '../safety/plain-links.js';
import { decideStep, signatureOf } from './decide-step.js';
import type { ToolRunner } from '../tools/tool-runner.js';
import type { ToolCallContext } from '../tools/tool.js';

/** Call of a tool, for the trace. */
export interface ToolUse {
  name: string;
  ok: boolean;
  tookMs: number;
}

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
  firstTokenMs: number | null;
}

/** Hears tokens as they come. */
export interface TokenListener {
  onToken(text: string): void;
  onRestart(): void;
}

/** Prompt, and what may be done with it. */
export interface Question {
  messages: ChatMessage[];
  maxTokens: number;
  /** Carries out the tools that the model may call. */
  tools: ToolRunner;
  /** Id of the turn: calls get their keys by it. */
  turnId: string;
  /** Hosts that links in what it writes may lead to. */
  linkHosts: readonly string[];
}

/** Longest reply: no door shows more. */
const MAX_REPLY_CHARACTERS = 8_000;
/** Mark behind a reply that was cut. */
const CUT = ' […]';
/** Time for which tokens after the first are bundled: a fast model does not become a thousand broadcasts. */
const BUNDLE_MS = 25;

/**
 * Lets the models of a role answer, telling tokens as they come, with another step while it calls tools; a text is
 * always asked for in the end. Never throws for a model's sake.
 * @throws what `signal` was aborted with, and stops asking
 */
export async function think(
  role: ModelRole,
  { messages, maxTokens, tools, turnId, linkHosts }: Question,
  signal: AbortSignal,
  listener: TokenListener,
): Promise<Thought> {
  const started = performance.now();
  const thought: Thought = {
    text: null,
    model: null,
    usage: null,
    problem: null,
    tries: [],
    tools: [],
    firstTokenMs: null,
  };
  const bundle = bundleTokens((tokens) => listener.onToken(tokens));
  const links = new LinkFilter(linkHosts);
  const restart = () => {
    links.drop();
    bundle.drop();
    listener.onRestart();
  };
  const made = new Set<string>();
  let said = [...messages];
  let offered = tools.definitions;
  try {
    for (let number = 1; ; number++) {
      const request = {
        messages: said,
        maxTokens,
        signal,
        tools: offered,
      };
      let calls: readonly ToolCall[] = [];
      let reasoning: readonly Reasoning[] = [];
      let hasSpoken = false;
      for await (const event of role.stream(request)) {
        if (event.type === 'text') {
          if (thought.firstTokenMs === null) step('streaming');
          thought.firstTokenMs ??= Math.round(performance.now() - started);
          hasSpoken = true;
          bundle.add(links.push(event.text));
        } else if (event.type === 'restart') {
          hasSpoken = false;
          restart();
        } else {
          const { text, model, usage, tries, finishReason } = event.result;
          // One stray byte of a model must not cost the whole turn.
          const plain = plainLinks(storableText(text).trim(), linkHosts);
          thought.text = markCut(plain, finishReason === 'length');
          thought.model = model;
          thought.tries.push(...tries);
          thought.usage = {
            model,
            promptTokens: (thought.usage?.promptTokens ?? 0) + usage.promptTokens,
            completionTokens: (thought.usage?.completionTokens ?? 0) + usage.completionTokens,
          };
          ({ toolCalls: calls, reasoning } = event.result);
        }
      }
      if (calls.length === 0) {
        bundle.add(links.end());
        bundle.flush();
        return thought;
      }
      // What it said beside its calls is thinking aloud, and not the answer.
      if (hasSpoken) restart();
      const decision = decideStep(calls, number, made);
      if (decision.kind === 'speak') {
        offered = [];
        continue;
      }
      for (const call of decision.calls) made.add(signatureOf(call));
      said = [
        ...said,
        {
          ...{ role: 'assistant', content: thought.text ?? '', toolCalls: decision.calls },
          // It led to all of the calls: beside some of them its host refuses it.
          ...(decision.calls.length === calls.length ? { reasoning } : {}),
        },
        ...(await Promise.all(
          decision.calls.map((call, index) =>
            carryOut(tools, call, { key: `${turnId}-${number}-${index}`, signal }, thought.tools),
          ),
        )),
      ];
      thought.text = null;
      signal.throwIfAborted();
    }
  } catch (error) {
    if (!(error instanceof ModelChainError)) throw error;
    return { ...thought, text: null, problem: error.message, tries: [...thought.tries, ...error.tries] };
  }
}

/** A reply that ends too soon says so: by the model's limit of tokens, or by ours of characters. */
function markCut(text: string, isCut: boolean): string {
  if (text.length > MAX_REPLY_CHARACTERS) {
    const shown = text.slice(0, MAX_REPLY_CHARACTERS - CUT.length);
    // Never half a surrogate pair.
    return `${/[\uD800-\uDBFF]$/.test(shown) ? shown.slice(0, -1) : shown}${CUT}`;
  }
  return isCut && text !== '' ? `${text}${CUT}` : text;
}

/** Carries out a call and notes it for the trace. */
async function carryOut(
  tools: ToolRunner,
  call: ToolCall,
  context: ToolCallContext,
  uses: ToolUse[],
): Promise<ChatMessage> {
  const { content, ok, tookMs } = await tools.run(call, context);
  uses.push({ name: call.name.slice(0, 60), ok, tookMs });
  return { role: 'tool', toolCallId: call.id, name: call.name, content };
}

function bundleTokens(send: (text: string) => void) {
  let waiting = '';
  let lastSent = Number.NEGATIVE_INFINITY;
  const flush = () => {
    if (!waiting) return;
    send(waiting);
    waiting = '';
    lastSent = performance.now();
  };
  return {
    add(text: string) {
      waiting += text;
      if (performance.now() - lastSent >= BUNDLE_MS) flush();
    },
    flush,
    drop() {
      waiting = '';
    },
  };
}
