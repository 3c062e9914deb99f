import type { ModelCards } from '../budget/model-cards.js';
import type { CallHooks } from '../hooks/call-hooks.js';
import type { CallPayload, CallResponse } from '../hooks/model-call.js';
import { ModelError, type ModelErrorKind } from '../errors/model-error.js';
import { estimatePrompt, jsonTokens } from '../estimate-prompt.js';
import { estimateTokens } from '../estimate-tokens.js';
import type { ChatMessage, ToolCall } from '../messages.js';
import type { ModelRequest, TokenCounts } from '../provider.js';
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
  'unreachable',
  'empty',
  'hook',
]);

/** One call of a model with its hooks: those before it, and those after it, which run once, however it ends. */
export class WatchedCall {
  /** Messages as they are sent. */
  messages: readonly ChatMessage[];
  /** Text so far. */
  text = '';
  /** All that came in pieces: of a call that is stopped, thoughts and arguments may never have been told whole. */
  came = '';
  readonly thoughts = new ThoughtFilter();
  readonly toolCalls: ToolCall[] = [];
  /** Tokens as the host counted them; null: nothing yet, or nothing at all. */
  counted: TokenCounts | null = null;
  /** Lower bound of what a stream without an end took: the host's count until then. */
  atLeast: TokenCounts = { promptTokens: 0, completionTokens: 0 };
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
