import { readAnthropicBody } from './anthropic-rules.js';
import {
  NAMED_EVENTS,
  sealOf,
  writeArguments,
  type ChatRequest,
  type ScriptedApi,
  type Spoken,
  type TokenCount,
  type WireAnswer,
} from './scripted-api.js';

/** Anthropic's Messages. */
export const ANTHROPIC_API: ScriptedApi = {
  ...NAMED_EVENTS,
  read: readAnthropicBody,
  answer: anthropicAnswer,
  error: (status, message, code) => ({ type: 'error', error: { type: typeOf(status, code), message } }),
};

const TYPES: Readonly<Record<number, string>> = {
  400: 'invalid_request_error',
  401: 'authentication_error',
  404: 'not_found_error',
  429: 'rate_limit_error',
  529: 'overloaded_error',
};

function typeOf(status: number, code: string): string {
  return TYPES[status] ?? (status === 0 ? code : 'api_error');
}

function anthropicAnswer(
  { model }: ChatRequest,
  { pieces, toolCalls, isCut, reasoning, isRefused }: Spoken,
  tokens: TokenCount,
): WireAnswer {
  const words = reasoning.join('');
  const thoughts = words ? [{ type: 'thinking', thinking: words, signature: sealOf(model, words) }] : [];
  const texts = pieces.length > 0 ? [{ type: 'text', text: pieces.join('') }] : [];
  const calls = toolCalls.map((call, index) => ({
    type: 'tool_use',
    id: `toolu_${index}`,
    name: call.name,
    input: call.arguments,
  }));
  const stop_reason = isRefused
    ? 'refusal'
    : isCut
      ? 'max_tokens'
      : calls.length > 0
        ? 'tool_use'
        : 'end_turn';
  // A part of the prompt comes from what is kept: the sum is what was asked.
  const cache_read_input_tokens = Math.floor(tokens.prompt / 2);
  const usage = {
    input_tokens: tokens.prompt - cache_read_input_tokens,
    cache_read_input_tokens,
    cache_creation_input_tokens: 0,
    output_tokens: tokens.completion,
  };
  const message = { id: 'msg_scripted', type: 'message', role: 'assistant', model, stop_sequence: null };
  const textAt = thoughts.length;
  const delta = (index: number, part: unknown) => ({ type: 'content_block_delta', index, delta: part });
  const stop = (index: number) => ({ type: 'content_block_stop', index });
  const start = (index: number, content_block: unknown) => ({
    type: 'content_block_start',
    index,
    content_block,
  });
  return {
    whole: { ...message, content: [...thoughts, ...texts, ...calls], stop_reason, usage },
    openings: [
      {
        type: 'message_start',
        message: { ...message, content: [], stop_reason: null, usage: { ...usage, output_tokens: 1 } },
      },
      { type: 'ping' },
      ...thoughts.flatMap(({ signature }) => [
        start(0, { type: 'thinking', thinking: '', signature: '' }),
        ...reasoning.map((thinking) => delta(0, { type: 'thinking_delta', thinking })),
        delta(0, { type: 'signature_delta', signature }),
        stop(0),
      ]),
      ...texts.map(() => start(textAt, { type: 'text', text: '' })),
    ],
    pieces: pieces.map((text) => delta(textAt, { type: 'text_delta', text })),
    endings: [
      ...texts.map(() => stop(textAt)),
      ...calls.flatMap(({ input, ...call }, place) => {
        const index = textAt + texts.length + place;
        const json = writeArguments({ name: call.name, arguments: input }, isCut);
        const half = Math.ceil(json.length / 2);
        return [
          start(index, { ...call, input: {} }),
          ...['', json.slice(0, half), json.slice(half)].map((partial_json) =>
            delta(index, { type: 'input_json_delta', partial_json }),
          ),
          stop(index),
        ];
      }),
      { type: 'message_delta', delta: { stop_reason, stop_sequence: null }, usage },
      { type: 'message_stop' },
    ],
    terminator: null,
  };
}
