import { storable } from '@kith/contracts';
import type { ModelCards } from '../budget/model-cards.js';
import type { CallHooks } from '../hooks/call-hooks.js';
import type { CallPayload, CallResponse } from '../hooks/model-call.js';
import { ModelError, type ModelErrorKind } from '../errors/model-error.js';
import { estimatePrompt, jsonTokens } from '../estimate-prompt.js';
import { estimateTokens } from '../estimate-tokens.js';
import { isTokenCount } from '../is-token-count.js';
import type { ChatMessage, Reasoning, ToolCall } from '../messages.js';
import type { ModelRequest, StreamPart, TokenCounts } from '../provider.js';
import { ThoughtFilter } from './thought-filter.js';

/** Hooks around the calls of a role, and what the calls cost. */
export interface CallWatch {
  role: string;
  hooks: CallHooks;
  cards: Pick<ModelCards, 'costOf'>;
}

/** Failures for which a host charges nothing, since it has answered nothing. */
const UNCHARGED: ReadonlySet<CallResponse['ended']> = new Set<ModelErrorKind>([
  'overloaded',
  'rate-limited',
  'spend-limit',
  'unauthorized',
  'no-such-model',
  'invalid-request',
  'too-long',
  'unreachable',
  'empty',
  'hook',
]);

/** One call of a model with its hooks. Those after it run once, however it ends. */
export class WatchedCall {
  /** Messages as they are sent. */
  messages: readonly ChatMessage[];
  /** Text so far. */
  text = '';
  /** All that came in pieces: of a call that is stopped, thoughts and arguments may never have been told whole. */
  came = '';
  readonly thoughts = new ThoughtFilter();
  readonly toolCalls: ToolCall[] = [];
  readonly reasoning: Reasoning[] = [];
  /** Tokens as the host counted them; null: nothing yet, or nothing at all. */
  counted: TokenCounts | null = null;
  /** Lower bound of what a stream took that has no end, or no usable count: the host's figures until then. */
  private atLeast: TokenCounts = { promptTokens: 0, completionTokens: 0 };
  /** True once the host was asked. */
  wasSent = false;
  /** True once a first part has come. */
  began = false;
  private isOver = false;
  private readonly started = performance.now();

  constructor(
    private readonly watch: CallWatch,
    private readonly model: string,
    private readonly request: ModelRequest,
    private readonly onEnd: (response: CallResponse) => void,
  ) {
    this.messages = request.messages;
  }

  /** Tokens as the host counted them, or as we estimate them. */
  get usage(): TokenCounts {
    if (this.counted) return this.counted;
    const told =
      estimateTokens(this.text) + estimateTokens(this.thoughts.thought) + jsonTokens(this.toolCalls);
    return {
      ...this.atLeast,
      promptTokens:
        this.atLeast.promptTokens || estimatePrompt({ ...this.request, messages: this.messages }, this.model),
      completionTokens: Math.max(this.atLeast.completionTokens, told, estimateTokens(this.came)),
    };
  }

  /** @throws ModelError of kind `hook` where a hook refuses the call */
  async begin(): Promise<void> {
    const { hooks } = this.watch;
    const { messages, refusal } = await hooks.before(
      this.messages,
      () => this.payload(),
      this.request.onHook,
    );
    this.messages = messages;
    if (refusal) throw new ModelError('hook', refusal.reason);
  }

  /** Notes what a part tells beside words for the person. */
  note(part: StreamPart): void {
    if (part.type === 'counted') {
      this.takeAtLeast(countsOf(part.usage));
      return;
    }
    this.began = true;
    if ('text' in part) this.came += part.text;
    // JSON may spell what no store can hold, and a call is stored before it is made.
    else if (part.type === 'tool-call') this.toolCalls.push(storable(part.call));
    else if (part.type === 'reasoning') {
      this.reasoning.push(part.reasoning);
      this.thoughts.think(part.reasoning.text);
    }
    // A model that calls tools it was not given has said nothing.
    else if (!this.request.tools?.length) this.toolCalls.length = 0;
  }

  /** Takes the host's count of the whole, unless it gave one before. One with a nought for what there was is none. */
  count(usage: TokenCounts | null): void {
    const counts = countsOf(usage);
    const hasWritten = this.came !== '' || this.toolCalls.length > 0;
    if (counts?.promptTokens && (counts.completionTokens > 0 || !hasWritten)) this.counted ??= counts;
    else this.takeAtLeast(counts);
  }

  /** Keeps the most that a host has told of each. */
  private takeAtLeast(counts: TokenCounts | null): void {
    if (!counts) return;
    const { promptTokens, completionTokens } = this.atLeast;
    this.atLeast = {
      ...counts,
      promptTokens: Math.max(promptTokens, counts.promptTokens),
      completionTokens: Math.max(completionTokens, counts.completionTokens),
    };
  }

  /** Tells how the call ended, once. @throws ModelError of kind `hook` where a hook refuses an answer */
  async end(ended: CallResponse['ended']): Promise<void> {
    if (this.isOver) return;
    this.isOver = true;
    const isCharged = this.wasSent && (this.began || !UNCHARGED.has(ended));
    const usage = isCharged ? this.usage : { promptTokens: 0, completionTokens: 0 };
    const response: CallResponse = {
      role: this.watch.role,
      model: this.model,
      account: this.request.account ?? {},
      ended,
      text: this.text,
      toolCalls: this.toolCalls,
      usage,
      usageIsEstimated: isCharged && this.counted === null,
      cost: this.watch.cards.costOf(this.model, usage),
      tookMs: Math.round(performance.now() - this.started),
    };
    this.onEnd(response);
    const refusal = await this.watch.hooks.after(this.messages, response, this.request.onHook);
    if (refusal && ended === 'answered') throw new ModelError('hook', refusal.reason);
  }

  private payload(): CallPayload {
    const { account = {}, tools = [], maxTokens = null, json = false } = this.request;
    const names = tools.map(({ name }) => name);
    return { role: this.watch.role, model: this.model, account, tools: names, maxTokens, json };
  }
}

/** Takes a host's figures where they can be: what is kept of a turn must not fail for them. */
function countsOf(usage: TokenCounts | null): TokenCounts | null {
  return usage !== null && isTokenCount(usage.promptTokens) && isTokenCount(usage.completionTokens)
    ? usage
    : null;
}
