import { z } from 'zod';
import { checkBase64 } from './call-checks.js';
import { requestMessage, require400, type RequestMessage, type ScriptedApi } from './scripted-api.js';

/* Ollama passes over fields it does not know; what it refuses are values of another kind. */
const Message = z.looseObject({
  role: z.enum(['system', 'user', 'assistant', 'tool']),
  content: z.string(),
  thinking: z.string().optional(),
  images: z.array(z.string()).optional(),
  tool_calls: z
    .array(z.looseObject({ function: z.looseObject({ name: z.string(), arguments: z.looseObject({}) }) }))
    .optional(),
  tool_name: z.string().optional(),
});
const Body = z.looseObject({
  model: z.string().min(1),
  messages: z.array(Message),
  stream: z.boolean().default(true),
  think: z.union([z.boolean(), z.enum(['low', 'medium', 'high'])]).optional(),
  format: z.union([z.literal('json'), z.looseObject({})]).optional(),
  options: z.record(z.string(), z.union([z.number(), z.boolean()])).optional(),
});

/** Ollama's own API: a line of JSON for each piece. */
export const OLLAMA_API: ScriptedApi = {
  contentType: 'application/x-ndjson',
  frame: (json) => `${json}\n`,
  read(body) {
    const { model, stream, messages, think } = Body.parse(body);
    require400(
      think === undefined || think === false || model.includes('gpt-oss'),
      `"${model}" does not support thinking`,
    );
    return { model, stream, messages: messages.map(hear) };
  },
  answer({ model }, { pieces, toolCalls, isCut, reasoning }, tokens) {
    const base = { model, created_at: '2026-11-22T00:00:00.000000Z' };
    const chunk = (message: object) => ({
      ...base,
      message: { role: 'assistant', content: '', ...message },
      done: false,
    });
    // They come whole, or not at all.
    const tool_calls = (isCut ? [] : toolCalls).map((call) => ({
      function: { name: call.name, arguments: call.arguments },
    }));
    const end = {
      done: true,
      done_reason: isCut ? 'length' : 'stop',
      total_duration: 1,
      load_duration: 1,
      prompt_eval_count: tokens.prompt,
      eval_count: tokens.completion,
    };
    const called = tool_calls.length > 0 ? { tool_calls } : {};
    return {
      whole: { ...chunk({ content: pieces.join(''), ...called }), ...end },
      openings: reasoning.map((thinking) => chunk({ thinking })),
      pieces: pieces.map((content) => chunk({ content })),
      endings: [...(tool_calls.length > 0 ? [chunk(called)] : []), { ...chunk({}), ...end }],
      terminator: null,
    };
  },
  error: (_status, message) => ({ error: message }),
};

function hear({ role, content, images = [], tool_calls = [] }: z.output<typeof Message>): RequestMessage {
  for (const image of images) checkBase64(image);
  return requestMessage(role, content, {
    // It looks into the picture itself for its kind.
    images: images.map(() => 'image'),
    calls: tool_calls.map((call) => ({ name: call.function.name, arguments: call.function.arguments })),
  });
}
