import type { ChatMessage, ImagePart, TextPart } from './messages.js';

/**
 * Splits a message into parts for a host that knows no names: the name stands before the words. Neighbouring texts become
 * one, up to a mark, and blank ones are left out, since Anthropic refuses them. Pure.
 */
export function spokenParts(message: Exclude<ChatMessage, { role: 'tool' }>): (TextPart | ImagePart)[] {
  const { content, name } = message;
  const parts: readonly (TextPart | ImagePart)[] =
    typeof content === 'string' ? [{ type: 'text', text: content }] : content;
  const joined: (TextPart | ImagePart)[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'text' && last?.type === 'text' && !last.stable) {
      joined[joined.length - 1] = { ...part, text: last.text + part.text };
    } else joined.push(part);
  }
  const said = joined.filter((part) => part.type === 'image' || /\S/.test(part.text));
  const [first, ...rest] = said;
  if (name === undefined || !first) return said;
  return first.type === 'text'
    ? [{ ...first, text: `${name}: ${first.text}` }, ...rest]
    : [{ type: 'text', text: `${name}:` }, ...said];
}
