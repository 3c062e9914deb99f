import { textOf, type ChatMessage } from '../messages.js';
import { spokenParts } from '../spoken-parts.js';

type Said = Extract<ChatMessage, { role: 'user' | 'assistant' }>;

/** Joins whatever one side says in a row, and lets a person begin, as some chat templates want it. Pure. */
export function byTurns(messages: readonly ChatMessage[]): ChatMessage[] {
  const turns: ChatMessage[] = [];
  for (const message of messages) {
    const last = turns.at(-1);
    if (message.role === 'assistant' && (last?.role ?? 'system') === 'system')
      turns.push({ role: 'user', content: '…' });
    const both = last && joined(last, message);
    if (both) turns[turns.length - 1] = both;
    else turns.push(message);
  }
  return turns;
}

/** Joins two messages; null where they are of two sides, or more than words. */
function joined(one: ChatMessage, next: ChatMessage): Said | null {
  if (one.role === 'user' && next.role === 'user') {
    const between = { type: 'text' as const, text: '\n\n' };
    return { role: 'user', content: [...spokenParts(one), between, ...spokenParts(next)] };
  }
  if (one.role !== 'assistant' || next.role !== 'assistant' || one.toolCalls || next.toolCalls) return null;
  return { role: 'assistant', content: `${textOf(one.content)}\n\n${textOf(next.content)}` };
}
