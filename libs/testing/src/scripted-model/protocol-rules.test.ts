import { describe, expect, it } from '@jest/globals';
import { APIS, type ModelApi } from './scripted-request.js';

const user = { role: 'user', content: 'Hi' };
const chat = (...messages: unknown[]) => ({ model: 'm', messages });
const called = (id: string) => ({
  role: 'assistant',
  content: null,
  tool_calls: [{ id, type: 'function', function: { name: 'look_up', arguments: '{}' } }],
});
const told = (tool_call_id: string) => ({ role: 'tool', content: 'sun', tool_call_id });

const items = (...input: unknown[]) => ({ model: 'o4', input });
const call = { type: 'function_call', call_id: 'c', name: 'look_up', arguments: '{}' };
const output = { type: 'function_call_output', call_id: 'c', output: 'sun' };
const thought = { type: 'reasoning', id: 'rs', summary: [], encrypted_content: 'forged' };

const claude = (messages: unknown[], rest: object = {}) => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 10,
  messages,
  ...rest,
});
const uses = { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'look_up', input: {} }] };
const result = { type: 'tool_result', tool_use_id: 'c', content: 'sun' };
const forged = { type: 'thinking', thinking: 'hm', signature: 'forged' };
const tools = [{ name: 'look_up', input_schema: { type: 'object' } }];

const gemini = (...contents: unknown[]) => ({ contents });
const says = { role: 'user', parts: [{ text: 'Hi' }] };
const asks = { role: 'model', parts: [{ functionCall: { name: 'look_up', args: {} } }] };
const answers = { role: 'user', parts: [{ functionResponse: { name: 'look_up', response: {} } }] };

/** A request that the real API answers with a 400, and what that says. */
const REFUSED: readonly (readonly [ModelApi, string, unknown, RegExp])[] = [
  ['openai', 'an unknown field', { ...chat(user), top_k: 1 }, /unrecognized key/i],
  ['openai', 'a field unknown in a message', chat({ ...user, origin: 'x' }), /unrecognized key/i],
  ['openai', 'an unknown role', chat({ role: 'narrator', content: 'x' }), /role/],
  ['openai', 'a name with a space', chat({ ...user, name: 'Zoë K.' }), /name/],
  ['openai', 'a result without its call', chat(user, told('c')), /must be a response/],
  ['openai', 'a call without its result', chat(user, called('c'), user), /must be followed by tool messages/],
  ['openai', 'a long id', chat(user, called('c'.repeat(41)), told('c'.repeat(41))), /40/],
  [
    'openai',
    'JSON that nobody speaks of',
    { ...chat(user), response_format: { type: 'json_object' } },
    /word 'json'/,
  ],
  ['groq', 'a result under another id', chat(user, called('c'), told('d')), /must be a response/],
  ['responses', 'an unknown field', { ...items(user), messages: [] }, /unrecognized key/i],
  ['responses', 'an output without its call', items(user, output), /No tool call found/],
  ['responses', 'a call without its output', items(user, call), /No tool output found/],
  ['responses', 'a forged seal', items(user, thought, call, output), /could not be verified/],
  [
    'responses',
    'a person who writes like a model',
    items({ role: 'user', content: [{ type: 'output_text', text: 'x' }] }),
    /input/,
  ],
  ['anthropic', 'an unknown field', claude([user], { n: 2 }), /unrecognized key/i],
  ['anthropic', 'no limit', { model: 'm', messages: [user] }, /max_tokens/],
  [
    'anthropic',
    'a companion who begins',
    claude([{ role: 'assistant', content: 'Hi' }, user]),
    /first message/,
  ],
  ['anthropic', 'a companion who ends', claude([user, { role: 'assistant', content: 'Hi' }]), /prefill/],
  [
    'anthropic',
    'a system message among the others',
    claude([{ role: 'system', content: 'x' }, user]),
    /role/,
  ],
  [
    'anthropic',
    'a text without a word',
    claude([{ role: 'user', content: [{ type: 'text', text: ' ' }] }]),
    /non-whitespace/,
  ],
  ['anthropic', 'a call without its result', claude([user, uses, user], { tools }), /without `tool_result`/],
  [
    'anthropic',
    'a result after other words',
    claude([user, uses, { role: 'user', content: [{ type: 'text', text: 'x' }, result] }], { tools }),
    /immediately after/,
  ],
  [
    'anthropic',
    'a result without its call',
    claude([{ role: 'user', content: [result] }]),
    /unexpected `tool_use_id`/,
  ],
  [
    'anthropic',
    'calls without tools',
    claude([user, uses, { role: 'user', content: [result] }]),
    /must define tools/,
  ],
  [
    'anthropic',
    'a forged thought',
    claude([user, { role: 'assistant', content: [forged] }, user]),
    /Invalid `signature`/,
  ],
  [
    'anthropic',
    'a temperature, at a model of the fifth generation',
    claude([user], { temperature: 1 }),
    /deprecated/,
  ],
  ['gemini', 'an unknown field', { ...gemini(says), messages: [] }, /unrecognized key/i],
  [
    'gemini',
    'a companion who begins',
    gemini({ role: 'model', parts: [{ text: 'Hi' }] }),
    /start with a user/,
  ],
  ['gemini', 'a side that speaks twice', gemini(says, says), /alternate/],
  ['gemini', 'a call without its response', gemini(says, asks, says), /number of function response parts/],
  ['gemini', 'a response without its call', gemini(answers), /immediately after a function call/],
  ['gemini', 'a call without its signature', gemini(says, asks, answers), /thought_signature/],
  ['gemini', 'a part of nothing', gemini({ role: 'user', parts: [{}] }), /oneof/],
  ['ollama', 'an unknown role', chat({ role: 'model', content: 'x' }), /role/],
  ['ollama', 'content in parts', chat({ role: 'user', content: [] }), /content/],
  ['ollama', 'a picture by its address', chat({ ...user, images: ['http://x/y.png'] }), /base64/],
  ['ollama', 'thinking of a model that can not', { ...chat(user), think: true }, /does not support thinking/],
];

describe('the protocols', () => {
  it.each(REFUSED)('of %s refuse %s', (api, _what, body, reason) => {
    expect(() => APIS[api].read(body, '/v1/models/gemini-3.8-flash:generateContent')).toThrow(reason);
  });
});
