import type { Spoken } from './behaviour.js';
import type { ModelApi, ScriptedRequest } from './scripted-request.js';

/** Form in which an API writes an answer: whole, or as the data of server-sent events. */
export interface WireAnswer {
  whole: unknown;
  /** One per piece of text, then those that end the answer. */
  pieces: unknown[];
  endings: unknown[];
  /** Text after the last event, if any. */
  terminator: string | null;
}

export interface TokenCount {
  prompt: number;
  completion: number;
}

export function wireAnswer(request: ScriptedRequest, spoken: Spoken, tokens: TokenCount): WireAnswer {
  if (request.api === 'gemini') return gemini(request, spoken, tokens);
  return request.path.endsWith('/responses')
    ? openAiResponse(request, spoken, tokens)
    : openAi(request, spoken, tokens);
}

function openAiResponse({ model }: ScriptedRequest, { pieces }: Spoken, tokens: TokenCount): WireAnswer {
  const content = [{ type: 'output_text', text: pieces.join(''), annotations: [] }];
  return {
    whole: {
      ...{ id: 'resp_scripted', object: 'response', created_at: 1_700_000_000, status: 'completed', model },
      output: [{ id: 'msg_scripted', type: 'message', role: 'assistant', status: 'completed', content }],
      usage: {
        input_tokens: tokens.prompt,
        output_tokens: tokens.completion,
        total_tokens: tokens.prompt + tokens.completion,
      },
    },
    pieces: [],
    endings: [],
    terminator: null,
  };
}

function openAi(
  request: ScriptedRequest,
  { pieces, toolCalls, isCut }: Spoken,
  tokens: TokenCount,
): WireAnswer {
  const base = { id: 'chatcmpl-scripted', created: 1_700_000_000, model: request.model };
  const usage = {
    prompt_tokens: tokens.prompt,
    completion_tokens: tokens.completion,
    total_tokens: tokens.prompt + tokens.completion,
  };
  const calls = toolCalls.map((call, index) => ({
    id: `call_${index}`,
    type: 'function',
    function: { name: call.name, arguments: JSON.stringify(call.arguments) },
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
  const wantsUsage = (request.body['stream_options'] as { include_usage?: boolean } | undefined)
    ?.include_usage;
  const last =
    request.api === 'groq' ? { ...chunk({}, finish), x_groq: { id: 'req', usage } } : chunk({}, finish);
  const usageChunk = { ...base, object: 'chat.completion.chunk', choices: [], usage };
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
    pieces: pieces.map((content) => chunk({ role: 'assistant', content })),
    endings: [...callChunks, last, ...(request.api === 'openai' && wantsUsage ? [usageChunk] : [])],
    terminator: 'data: [DONE]\n\n',
  };
}

function gemini(
  { model }: ScriptedRequest,
  { pieces, toolCalls, isCut }: Spoken,
  tokens: TokenCount,
): WireAnswer {
  const usageMetadata = {
    promptTokenCount: tokens.prompt,
    candidatesTokenCount: tokens.completion,
    totalTokenCount: tokens.prompt + tokens.completion,
  };
  const calls = toolCalls.map((call) => ({ functionCall: { name: call.name, args: call.arguments } }));
  const answer = (parts: unknown[], finishReason?: string) => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...(finishReason ? { finishReason } : {}) }],
    usageMetadata,
    modelVersion: model,
  });
  const text = pieces.join('');
  const finish = isCut ? 'MAX_TOKENS' : 'STOP';
  return {
    whole: answer([...(text ? [{ text }] : []), ...calls], finish),
    pieces: pieces.map((piece) => answer([{ text: piece }])),
    endings: [answer(calls, finish)],
    terminator: null,
  };
}

/** An error's body as the API words it. */
export function wireError(api: ModelApi, status: number, message: string, code: string): unknown {
  return api === 'gemini'
    ? { error: { code: status, message, status: code.toUpperCase() } }
    : { error: { message, type: code, param: null, code } };
}

export function rateLimitBody(api: ModelApi, seconds: number): unknown {
  if (api !== 'gemini') return wireError(api, 429, 'Rate limit reached for requests', 'rate_limit_exceeded');
  const type = 'type.googleapis.com/google.rpc.RetryInfo';
  const details = [{ '@type': type, retryDelay: `${seconds}s` }];
  const message = 'You exceeded your current quota, please check your plan and billing details.';
  return { error: { code: 429, message, status: 'RESOURCE_EXHAUSTED', details } };
}

export function spendLimitBody(api: ModelApi): unknown {
  const message = 'You exceeded your current quota, please check your plan and billing details.';
  return wireError(api, 429, message, api === 'gemini' ? 'resource_exhausted' : 'insufficient_quota');
}
