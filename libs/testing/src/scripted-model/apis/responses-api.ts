import { openAiError } from './chat-api.js';
import { readResponsesBody } from './responses-rules.js';
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

/** OpenAI's newer API. */
export const RESPONSES_API: ScriptedApi = {
  ...NAMED_EVENTS,
  read: readResponsesBody,
  answer: responseAnswer,
  error: (status, message, code) =>
    status === 0
      ? { type: 'error', code, message, param: null, sequence_number: 0 }
      : openAiError(status, message, code),
};

function responseAnswer(
  { model, body }: ChatRequest,
  { pieces, toolCalls, isCut, isRefused, reasoning }: Spoken,
  tokens: TokenCount,
): WireAnswer {
  const base = { id: 'resp_scripted', object: 'response', created_at: 1_700_000_000, model };
  const usage = {
    input_tokens: tokens.prompt,
    output_tokens: tokens.completion,
    total_tokens: tokens.prompt + tokens.completion,
  };
  const words = reasoning.join('');
  const sealed = Array.isArray(body['include']) ? { encrypted_content: sealOf(model, words) } : {};
  const thoughts = words
    ? [{ id: 'rs_0', type: 'reasoning', summary: [{ type: 'summary_text', text: words }], ...sealed }]
    : [];
  const content = [{ type: 'output_text', text: pieces.join(''), annotations: [] }];
  const said = { id: 'msg_scripted', type: 'message', role: 'assistant', status: 'completed', content };
  const calls = toolCalls.map((call, index) => ({
    id: `fc_${index}`,
    type: 'function_call',
    status: 'completed',
    call_id: `call_${index}`,
    name: call.name,
    arguments: writeArguments(call, isCut),
  }));
  const output = [...thoughts, ...(pieces.length > 0 ? [said] : []), ...calls];
  const ended = isCut
    ? { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }
    : { status: 'completed', incomplete_details: null };
  const whole = { ...base, ...ended, output, usage };
  const added = (item: object) => ({
    type: 'response.output_item.added',
    output_index: 0,
    item: { ...item, status: 'in_progress' },
  });
  const done = (item: unknown) => ({ type: 'response.output_item.done', output_index: 0, item });
  const piecesOf = ({ id, arguments: text }: (typeof calls)[number]) =>
    [text.slice(0, Math.ceil(text.length / 2)), text.slice(Math.ceil(text.length / 2))].map((delta) => ({
      type: 'response.function_call_arguments.delta',
      item_id: id,
      output_index: 0,
      delta,
    }));
  return {
    whole,
    openings: [
      { type: 'response.created', response: { ...base, status: 'in_progress', output: [] } },
      ...thoughts.flatMap((item) => [added(item), done(item)]),
    ],
    pieces: pieces.map((delta) => ({
      type: isRefused ? 'response.refusal.delta' : 'response.output_text.delta',
      item_id: said.id,
      output_index: 0,
      content_index: 0,
      delta,
    })),
    endings: [
      ...(pieces.length > 0 ? [done(said)] : []),
      ...calls.flatMap((call) => [added({ ...call, arguments: '' }), ...piecesOf(call), done(call)]),
      { type: isCut ? 'response.incomplete' : 'response.completed', response: whole },
    ],
    terminator: null,
  };
}
