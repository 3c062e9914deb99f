import type { ChatResponse } from 'ollama';
import { ToolArguments } from '../messages.js';
import type { StreamPart } from '../provider.js';
import { hold } from './bounded-stream.js';

/** The SDK's type promises figures that come in the last line alone. */
type Chunk = Pick<ChatResponse, 'message' | 'done'> &
  Partial<Pick<ChatResponse, 'done_reason' | 'prompt_eval_count' | 'eval_count'>>;

/** Reads a stream of Ollama as events of ours. */
export async function* readOllama(origin: string, chunks: AsyncIterable<Chunk>): AsyncGenerator<StreamPart> {
  let thinking = '';
  let calls = 0;
  for await (const { message, done, done_reason, prompt_eval_count, eval_count } of chunks) {
    thinking = hold(origin, thinking, message.thinking ?? '');
    if (message.thinking) yield { type: 'alive', text: message.thinking };
    if (message.content) yield { type: 'text', text: message.content };
    for (const { function: called } of message.tool_calls ?? []) {
      const id = `call-${calls++}`;
      const args = ToolArguments.parse(called.arguments);
      yield { type: 'tool-call', call: { id, name: called.name, arguments: args } };
    }
    if (!done) continue;
    if (thinking) yield { type: 'reasoning', reasoning: { origin, text: thinking, block: { thinking } } };
    const usage = { promptTokens: prompt_eval_count ?? 0, completionTokens: eval_count ?? 0 };
    const finishReason = calls > 0 ? 'tool-calls' : done_reason === 'length' ? 'length' : 'stop';
    yield { type: 'end', finishReason, usage: prompt_eval_count === undefined ? null : usage };
    return;
  }
}
