import type { Message } from 'ollama';
import { reasoningFor, textOf, type ChatMessage } from '../messages.js';
import { spokenParts } from '../spoken-parts.js';
import { wholeExchanges } from '../whole-exchanges.js';

/**
 * Writes a history in Ollama's own form: a message has one text and a list of pictures, and results name their tool.
 * @param origin `host:model`, whose own reasoning goes back to it
 */
export function renderOllama(messages: readonly ChatMessage[], origin: string): Message[] {
  return wholeExchanges(messages).map((message): Message => {
    if (message.role === 'tool') {
      return { role: 'tool', content: textOf(message.content), tool_name: message.name };
    }
    const parts = spokenParts(message);
    const images = parts.flatMap((part) => (part.type === 'image' ? [part.data] : []));
    const thinking = reasoningFor(origin, message)
      .map(({ text }) => text)
      .join('');
    const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
    return {
      role: message.role,
      content: textOf(parts),
      ...(images.length > 0 ? { images } : {}),
      ...(thinking ? { thinking } : {}),
      ...(calls.length > 0
        ? { tool_calls: calls.map(({ name, arguments: args }) => ({ function: { name, arguments: args } })) }
        : {}),
    };
  });
}
