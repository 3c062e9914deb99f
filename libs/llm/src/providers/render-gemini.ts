import type { Content, Part } from '@google/genai';
import { textOf, type ChatMessage, type ImagePart, type TextPart } from '../messages.js';
import { spokenParts } from '../spoken-parts.js';
import { wholeExchanges } from '../whole-exchanges.js';

type SpokenMessage = Exclude<ChatMessage, { role: 'system' }>;

/**
 * Google's own word for "do not check": a call that another model made has no thought signature, and Gemini 3 refuses
 * the running turn without one.
 */
const UNSIGNED = 'skip_thought_signature_validator';

/** Gemini 1 and 2 ask for no signature, and know no such word. */
const ASKS_FOR_SIGNATURES = /^gemini-(?![12])/;

/**
 * Gemini has one system instruction and strictly takes turns: what stands as system is joined, neighbours of one
 * side become parts of one content, and a name goes before the words. A person begins.
 */
export function renderGemini(
  messages: readonly ChatMessage[],
  model: string,
): { system: string; contents: Content[] } {
  const unsigned = ASKS_FOR_SIGNATURES.test(model) ? UNSIGNED : undefined;
  const system: string[] = [];
  const contents: { role: string; parts: Part[] }[] = [];
  for (const message of wholeExchanges(messages)) {
    if (message.role === 'system') {
      system.push(textOf(message.content));
      continue;
    }
    const role = message.role === 'assistant' ? 'model' : 'user';
    const parts = renderParts(message, unsigned);
    if (parts.length === 0) continue;
    if (contents.length === 0 && role === 'model') contents.push({ role: 'user', parts: [{ text: '…' }] });
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  }
  if (contents.length === 0) contents.push({ role: 'user', parts: [{ text: '…' }] });
  return { system: system.filter(Boolean).join('\n\n'), contents };
}

/** @param unsigned stands in where a signature is asked for and there is none */
function renderParts(message: SpokenMessage, unsigned: string | undefined): Part[] {
  if (message.role === 'tool') {
    // A class by its type alone: the SDK makes no instances either.
    // oxlint-disable-next-line typescript/no-unsafe-assignment
    return [{ functionResponse: { name: message.name, response: { output: textOf(message.content) } } }];
  }
  const calls = message.role === 'assistant' ? (message.toolCalls ?? []) : [];
  return [
    ...spokenParts(message).map(renderPart),
    ...calls.map(({ name, arguments: args, signature }, index) => {
      // Only the first of the calls made at once carries one.
      const thoughtSignature = signature ?? (index === 0 ? unsigned : undefined);
      return {
        functionCall: { name, args },
        ...(thoughtSignature === undefined ? {} : { thoughtSignature }),
      };
    }),
  ];
}

function renderPart(part: TextPart | ImagePart): Part {
  if (part.type === 'text') return { text: part.text };
  return { inlineData: { mimeType: part.mediaType, data: part.data } };
}
