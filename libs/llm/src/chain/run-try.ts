import { ModelError } from '../errors/model-error.js';
import { estimateTokens } from '../estimate-tokens.js';
import { textOf, type Reasoning, type ToolCall } from '../messages.js';
import type { FinishReason, ModelProvider, ModelRequest, TokenCounts } from '../provider.js';
import { ThoughtFilter } from './thought-filter.js';
import { withDeadlines } from './with-deadlines.js';
import { checkAnswer } from './check-answer.js';

// Twenty times the longest reply any door shows: beyond it a model runs in circles.
const MAX_CHARACTERS = 200_000;

/** A model of a chain, at its host. */
export interface ChainEntry {
  provider: ModelProvider;
  model: string;
}

/** Names a model of a chain: `provider:model`, and plain `rehearsal`. */
export function labelOf({ provider, model }: ChainEntry): string {
  return provider.name === model ? model : `${provider.name}:${model}`;
}

/** Outcome of a try. */
export interface TryReply {
  text: string;
  /** Thoughts before the answer, in words; empty where the model told none. */
  thought: string;
  toolCalls: ToolCall[];
  /** To be sent back with the calls, as part of the assistant's message. Empty where the host tells none. */
  reasoning: Reasoning[];
  finishReason: FinishReason;
  usage: TokenCounts;
  /** True when the host did not count the tokens and the figures are ours. */
  usageIsEstimated: boolean;
}

type TryEvent = { type: 'text'; text: string } | { type: 'reply'; reply: TryReply };

/** One try: the text as it comes, then the whole reply. Throws a `ModelError` when it can't be used. */
export async function* runTry(
  { provider, model }: ChainEntry,
  request: ModelRequest,
  limits: { firstTokenMs: number; totalMs: number },
): AsyncGenerator<TryEvent> {
  const thoughts = new ThoughtFilter();
  const toolCalls: ToolCall[] = [];
  const reasoning: Reasoning[] = [];
  let text = '';
  let began = false;
  const parts = withDeadlines((signal) => provider.stream({ ...request, model, signal }), {
    ...limits,
    signal: request.signal,
  });
  for await (const part of parts) {
    began = true;
    if (part.type === 'tool-call') {
      toolCalls.push(part.call);
      continue;
    }
    if (part.type === 'reasoning') {
      reasoning.push(part.reasoning);
      thoughts.think(part.reasoning.text);
      continue;
    }
    const said = part.type === 'text' ? thoughts.push(part.text) : thoughts.end();
    if (said) {
      text += said;
      if (text.length > MAX_CHARACTERS) throw new ModelError('garbled', `${provider.name}: endless answer`);
      yield { type: 'text', text: said };
    }
    if (part.type === 'end') {
      // A model that calls tools it was not given has said nothing.
      if (!request.tools?.length) toolCalls.length = 0;
      checkAnswer(provider.name, text, toolCalls, part.finishReason);
      const usage = part.usage ?? estimateUsage(request, text);
      const usageIsEstimated = part.usage === null;
      yield {
        type: 'reply',
        reply: {
          ...{ text, thought: thoughts.thought, toolCalls, reasoning },
          ...{ finishReason: part.finishReason, usage, usageIsEstimated },
        },
      };
      return;
    }
  }
  throw began
    ? new ModelError('cut-stream', `${provider.name}: the stream ended early`)
    : new ModelError('empty', `${provider.name}: a stream without content`);
}

function estimateUsage({ messages }: ModelRequest, text: string): TokenCounts {
  const promptTokens = messages.reduce((sum, { content }) => sum + estimateTokens(textOf(content)), 0);
  return { promptTokens, completionTokens: estimateTokens(text) };
}
