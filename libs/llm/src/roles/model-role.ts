import { setTimeout as sleep } from 'node:timers/promises';
import { estimateTokens } from '../estimate-tokens.js';
import type { ModelProvider, ModelRequest, TokenUsage, ToolCall } from '../message.js';
import { ModelChainError, ModelError, classifyError, type Try } from '../model-error.js';
import { decideRetry } from './decide-retry.js';

export interface RoleLimits {
  /** Longest a single try may take. */
  tryTimeoutMs: number;
  /** Longest wait for a first token. */
  firstTokenTimeoutMs: number;
  /** Longest all tries together may take. */
  budgetMs: number;
}

/** What a role's answer came to. */
export interface RoleResult {
  text: string;
  toolCalls: ToolCall[];
  model: string;
  usage: TokenUsage;
  /** True where the provider counted nothing and the numbers are ours. */
  usageIsEstimated: boolean;
  tries: Try[];
}

/** `restart`: what was streamed so far no longer counts, another try begins. */
export type RoleEvent =
  { type: 'text'; text: string } | { type: 'restart' } | { type: 'done'; result: RoleResult };

/** A use of models, with its chain: the first that answers, answers. */
export class ModelRole {
  constructor(
    private readonly chain: readonly ModelProvider[],
    private readonly limits: RoleLimits,
  ) {}

  /** Names of the models, in order of preference. */
  get models(): string[] {
    return this.chain.map((provider) => provider.name);
  }

  /**
   * Streams an answer, ending with `done`.
   * @throws ModelChainError when every model of the chain failed or the time was up
   */
  async *stream(request: ModelRequest): AsyncGenerator<RoleEvent> {
    const started = performance.now();
    const leftMs = () => this.limits.budgetMs - (performance.now() - started);
    const tries: Try[] = [];
    let last = new ModelError('timeout', 'no time was left for a try');
    for (const provider of this.chain) {
      for (let attempt = 1; leftMs() > 0; attempt += 1) {
        const tryStarted = performance.now();
        let begun = false;
        try {
          for await (const event of this.#try(provider, request, leftMs())) {
            if (event.type === 'text') begun = true;
            if (event.type === 'done') {
              tries.push({ model: provider.name, result: 'answered', tookMs: since(tryStarted) });
              yield { type: 'done', result: { ...event.result, tries } };
              return;
            }
            yield event;
          }
        } catch (error) {
          last = classifyError(error, begun);
          tries.push({ model: provider.name, result: last.kind, tookMs: since(tryStarted) });
        }
        if (begun) yield { type: 'restart' };
        const decision = decideRetry(last, attempt, leftMs());
        if (decision.kind === 'next-model') break;
        await sleep(decision.afterMs);
      }
    }
    throw new ModelChainError(tries, last);
  }

  /** The whole answer at once. @throws ModelChainError */
  async complete(request: ModelRequest): Promise<RoleResult> {
    for await (const event of this.stream(request)) if (event.type === 'done') return event.result;
    throw new Error('a stream ended without its end');
  }

  async *#try(provider: ModelProvider, request: ModelRequest, leftMs: number): AsyncGenerator<RoleEvent> {
    const abort = new AbortController();
    const timeOut = (what: string) => () =>
      abort.abort(new ModelError('timeout', `${provider.name}: ${what}`));
    const total = setTimeout(timeOut('took too long'), Math.min(this.limits.tryTimeoutMs, leftMs));
    const first = setTimeout(
      timeOut('no first token in time'),
      Math.min(this.limits.firstTokenTimeoutMs, leftMs),
    );
    let text = '';
    const toolCalls: ToolCall[] = [];
    try {
      for await (const event of untilAborted(provider.stream(request, abort.signal), abort.signal)) {
        clearTimeout(first);
        if (event.type === 'text') {
          if (!event.text) continue;
          text += event.text;
          yield { type: 'text', text: event.text };
        } else if (event.type === 'tool-call') {
          toolCalls.push(event.call);
        } else {
          if (!text.trim() && toolCalls.length === 0)
            throw new ModelError('empty', `${provider.name} said nothing`);
          const usage = event.usage ?? estimateUsage(request, text);
          yield {
            type: 'done',
            result: {
              text,
              toolCalls,
              model: provider.name,
              usage,
              usageIsEstimated: !event.usage,
              tries: [],
            },
          };
          return;
        }
      }
      throw new ModelError(text ? 'cut-stream' : 'empty', `${provider.name} stopped without an end`);
    } finally {
      clearTimeout(total);
      clearTimeout(first);
      abort.abort();
    }
  }
}

/** Ends a wait for the next event when the signal says so, even where an SDK would go on waiting. */
async function* untilAborted<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  const aborted = new Promise<never>((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  aborted.catch(() => undefined); // it may never be raced again
  for (;;) {
    const next = await Promise.race([iterator.next(), aborted]);
    if (next.done) return;
    yield next.value;
  }
}

function estimateUsage(request: ModelRequest, text: string): TokenUsage {
  const prompt = request.messages.map((message) => message.content).join('\n');
  return { promptTokens: estimateTokens(prompt), completionTokens: estimateTokens(text) };
}

function since(started: number): number {
  return Math.round(performance.now() - started);
}
