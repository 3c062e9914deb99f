import { hash } from 'node:crypto';

export interface ReplyToolCall {
  name: string;
  arguments: Record<string, unknown>;
}

/** A reply in one form, in the pieces in which it is streamed. */
export interface Spoken {
  pieces: string[];
  toolCalls: readonly ReplyToolCall[];
  isCut: boolean;
  reasoning: readonly string[];
  isRefused: boolean;
}

/** A message as a double read it, alike for every API. */
export interface RequestMessage {
  /** `system`, `user`, `assistant` or `tool`. */
  role: string;
  text: string;
  /** Media types of its pictures; absent without any. */
  images?: string[];
  /** Calls that an assistant made; absent without any. */
  calls?: ReplyToolCall[];
}

export interface TokenCount {
  prompt: number;
  completion: number;
}

/** Form in which an API writes an answer: whole, or as the data of a stream. */
export interface WireAnswer {
  whole: unknown;
  /** Data before the first word. */
  openings: unknown[];
  /** One per piece of text. */
  pieces: unknown[];
  endings: unknown[];
  /** Text after the last event, if any. */
  terminator: string | null;
}

/** A request for words, as it was read. */
export interface ChatRequest {
  model: string;
  stream: boolean;
  messages: RequestMessage[];
  body: Record<string, unknown>;
}

/** Protocol of one API: what it takes, what it refuses, and how it words its answers. */
export interface ScriptedApi {
  /** Reads a request. Throws `RequestRefusal` at what the real API refuses. */
  read(body: unknown, path: string): Omit<ChatRequest, 'body'>;
  answer(chat: ChatRequest, spoken: Spoken, tokens: TokenCount): WireAnswer;
  /** Wording of a refusal; status 0 stands for one within a stream. */
  error: (status: number, message: string, code: string) => unknown;
  /** One event of a stream, around its JSON. */
  frame: (json: string, data: unknown) => string;
  contentType: string;
}

/** A request that the real API would answer with a 400. */
export class RequestRefusal extends Error {
  override readonly name = 'RequestRefusal';
}

/** Refuses a request for this reason unless the claim holds. */
export function require400(claim: unknown, message: string): asserts claim {
  if (!claim) throw new RequestRefusal(message);
}

/** Seal of a model on its own reasoning: another model's, or changed words, do not carry it. */
export function sealOf(model: string, words: string): string {
  return hash('sha256', `${model} ${words}`, 'base64');
}

/** Writes the arguments of a call, which the token limit may cut. */
export function writeArguments(call: ReplyToolCall, isCut: boolean): string {
  const json = JSON.stringify(call.arguments);
  return isCut ? json.slice(0, json.length / 2) : json;
}

/** Leaves out what a message has none of. */
export function requestMessage(
  role: string,
  text: string,
  { images = [], calls = [] }: { images?: string[]; calls?: ReplyToolCall[] } = {},
): RequestMessage {
  return { role, text, ...(images.length > 0 ? { images } : {}), ...(calls.length > 0 ? { calls } : {}) };
}

/** Server-sent events without names, as OpenAI's older API and Google's send them. */
export const PLAIN_EVENTS = {
  contentType: 'text/event-stream',
  frame: (json: string) => `data: ${json}\n\n`,
};

/** Server-sent events that say their type. */
export const NAMED_EVENTS = {
  contentType: 'text/event-stream',
  frame: (json: string, data: unknown) => `event: ${(data as { type: string }).type}\ndata: ${json}\n\n`,
};
