import { z } from 'zod';

export interface TextPart {
  type: 'text';
  text: string;
  /** Ends what stays the same from one request to the next. Marked for hosts that keep such a beginning. */
  stable?: true;
}

/** Kinds of pictures that every provider with eyes takes. */
export type ImageType = 'image/png' | 'image/jpeg' | 'image/webp' | 'image/gif';

/** A picture, for models that see. */
export interface ImagePart {
  type: 'image';
  mediaType: ImageType;
  /** In base64. */
  data: string;
}

/** Text, whole or in parts; parts are joined without a separator where a provider takes one string. */
export type TextContent = string | readonly TextPart[];

/** Text and pictures, in the order in which they were sent. */
export type MessageContent = string | readonly (TextPart | ImagePart)[];

/**
 * A step of a model's reasoning in its provider's own form. Goes back unchanged to the model it came from, and to no
 * other. Never shown: the host may have sealed it, and it may hold what was not meant to be said.
 */
export interface Reasoning {
  /** Model it came from, as `host:model`. */
  origin: string;
  /** Words of it, as far as the host shows them. */
  text: string;
  /** The form in which the host wants it back. */
  block: Readonly<Record<string, unknown>>;
}

/** Characters of a tool's name that providers take. A model may make up a longer one. */
export const MAX_TOOL_NAME = 64;

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
 * Messages to a model, the same for every provider. The list is the whole history: providers keep none, and nobody
 * changes a list or a message. `name` tells speakers of one role apart.
 */
export type ChatMessage =
  | { role: 'system'; content: TextContent; name?: string }
  | { role: 'user'; content: MessageContent; name?: string }
  | {
      role: 'assistant';
      content: TextContent;
      name?: string;
      toolCalls?: readonly ToolCall[];
      /** Reasoning that led to the text and the calls, in its order. */
      reasoning?: readonly Reasoning[];
    }
  /** Answer of the tool `name` to the call `toolCallId`. */
  | { role: 'tool'; content: TextContent; toolCallId: string; name: string };

/** Arguments of a call as a model writes them: as text or, by some hosts, as the object itself. */
export const ToolArguments = z.record(z.string(), z.unknown());

/** Joins the words of a message. */
export function textOf(content: MessageContent): string {
  return typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** Picks the reasoning that the model `origin` may see again: its own. */
export function reasoningFor(origin: string, message: ChatMessage): Reasoning[] {
  const kept = message.role === 'assistant' ? (message.reasoning ?? []) : [];
  return kept.filter((reasoning) => reasoning.origin === origin);
}
