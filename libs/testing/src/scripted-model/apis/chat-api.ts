import { readChatBody } from './chat-rules.js';
import {
  PLAIN_EVENTS,
  writeArguments,
  type ChatRequest,
  type ScriptedApi,
  type Spoken,
  type TokenCount,
  type WireAnswer,
} from './scripted-api.js';

/** OpenAI's chat completions. */
export const CHAT_API: ScriptedApi = {
  ...PLAIN_EVENTS,
  read: readChatBody,
  answer: (chat, spoken, tokens) => chatAnswer(chat, spoken, tokens, false),
  error: openAiError,
};

/** Chat completions at Groq, which tells the usage in a field of its own. */
export const GROQ_API: ScriptedApi = {
  ...CHAT_API,
  answer: (chat, spoken, tokens) => chatAnswer(chat, spoken, tokens, true),
};

export function openAiError(_status: number, message: string, code: string): unknown {
  return { error: { message, type: code, param: null, code } };
}

function chatAnswer(
  { model, body }: ChatRequest,
  { pieces, toolCalls, isCut, isRefused, reasoning }: Spoken,
  tokens: TokenCount,
  isGroq: boolean,
): WireAnswer {
  const base = { id: 'chatcmpl-scripted', created: 1_700_000_000, model };
  const usage = {
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    total_tokens: tokens.prompt + tokens.completion,
  };
  const calls = toolCalls.map((call, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: writeArguments(call, isCut) },
  }));
  const finish = isCut ? 'length' : calls.length > 0 ? 'tool_calls' : 'stop';
  const chunk = (delta: unknown, finish_reason: string | null = null) => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [{ index: 0, delta, finish_reason }],
  });
  // Arguments come in fragments from the real ones, so they do here: at once, half, half.
  const callChunks = calls.flatMap(({ id, type, function: { name, arguments: text } }, index) => {
    const half = Math.ceil(text.length / 2);
    return [
      chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(0, half) } }] }),
      chunk({ tool_calls: [{ index, function: { arguments: text.slice(half) } }] }),
    ];
  });
  const wantsUsage = (body['stream_options'] as { include_usage?: boolean } | undefined)?.include_usage;
  const last = isGroq ? { ...chunk({}, finish), x_groq: { id: 'req', usage } } : chunk({}, finish);
  const usageChunk = { ...base, object: 'chat.completion.chunk', choices: [], usage };
  const thought = isGroq ? 'reasoning' : 'reasoning_content';
  const message = {
    role: 'assistant',
    content: pieces.join('') || null,
    ...(calls.length ? { tool_calls: calls } : {}),
  };
  return {
    whole: {
      ...base,
      object: 'chat.completion',
      choices: [{ index: 0, message, finish_reason: finish }],
      usage,
    },
    openings: reasoning.map((words) => chunk({ role: 'assistant', [thought]: words })),
    pieces: pieces.map((words) => chunk({ role: 'assistant', [isRefused ? 'refusal' : 'content']: words })),
    endings: [...callChunks, last, ...(!isGroq && wantsUsage ? [usageChunk] : [])],
    terminator: 'data: [DONE]\n\n',
  };
}
