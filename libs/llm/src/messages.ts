import { z } from 'zod';

export interface TextPart {
  type: 'text';
  text: string;
}

/** Text, whole or in parts; parts are joined without a separator where a provider takes one string. */
export type MessageContent = string | readonly TextPart[];

/** A tool the model may call. `parameters` is a JSON schema of an object. */
export interface ToolDefinition {
  name: string;
  description: string;
  parameters: Record<string, unknown>;
}

/** A call the model asks for. */
export interface ToolCall {
  id: string;
  name: string;
  arguments: Record<string, unknown>;
  /** The provider's own mark, which has to come back with the call: Gemini's thought signature. */
  signature?: string;
}

/**
 * Messages to a model, the same for every provider. The list is the whole history: providers keep none.
 * `name` tells speakers of one role apart.
 */
export type ChatMessage =
  | { role: 'system' | 'user'; content: MessageContent; name?: string }
  | { role: 'assistant'; content: MessageContent; name?: string; toolCalls?: readonly ToolCall[] }
  /** Answer of the tool `name` to the call `toolCallId`. */
  | { role: 'tool'; content: MessageContent; toolCallId: string; name: string };

/** Arguments of a call as a model writes them: as text or, by some hosts, as the object itself. */
export const ToolArguments = z.record(z.string(), z.unknown());

export function textOf(content: MessageContent): string {
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('');
}
