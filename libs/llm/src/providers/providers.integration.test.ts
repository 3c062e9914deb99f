import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedModel } from '@kith/testing';
import type { ChatMessage, ToolDefinition } from '../messages.js';
import type { ProviderRequest, StreamPart } from '../provider.js';
import { openAiClient } from './openai-client.js';
import { EVERY_PROVIDER } from './testing-providers.js';

let host: ScriptedModel;
beforeAll(async () => {
  host = await ScriptedModel.start({ apiKey: 'right' });
});
afterEach(() => host.reset());
afterAll(() => host.stop());

const HISTORY: ChatMessage[] = [
  { role: 'system', content: 'You are Mira.' },
  { role: 'user', content: 'Hello', name: 'Zoë K.' },
  { role: 'assistant', content: [{ type: 'text', text: 'Hi' }] },
  {
    role: 'user',
    content: [
      { type: 'text', text: 'How ' },
      { type: 'text', text: 'are you?' },
    ],
  },
];
const TOOLS: ToolDefinition[] = [
  {
    name: 'look_up',
    description: 'Looks up the weather.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
];

const requestOf = (overrides: Partial<ProviderRequest> = {}): ProviderRequest => ({
  model: 'scripted-1',
  messages: HISTORY,
  signal: new AbortController().signal,
  ...overrides,
});

/** Reads a stream to its end, without what its host counts before that. */
async function drain(stream: AsyncIterable<StreamPart>, parts: StreamPart[] = []): Promise<StreamPart[]> {
  for await (const part of stream) if (part.type !== 'counted') parts.push(part);
  return parts;
}

describe.each(Object.entries(EVERY_PROVIDER))('%s', (name, provider) => {
  const open = (apiKey = 'right') => provider.open(apiKey, host.url);

  it('streams an answer with its usage', async () => {
    host.replyWith(() => 'Quite well, thank you.');
    const parts = await drain(open().stream(requestOf({ maxTokens: 50, temperature: 0.5 })));
    const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
    expect(texts).toEqual(['Quite', ' well,', ' thank', ' you.']);
    expect(parts.at(-1)).toEqual({
      type: 'end',
      finishReason: 'stop',
      usage: { promptTokens: host.tokens.prompt, completionTokens: host.tokens.completion },
    });
  });

  it('renders the explicit messages', async () => {
    await drain(open().stream(requestOf()));
    expect(host.requests[0]).toMatchObject({
      model: 'scripted-1',
      stream: true,
      messages: [
        { role: 'system', text: 'You are Mira.' },
        { role: 'user', text: expect.stringMatching(/Hello$/) },
        { role: 'assistant', text: 'Hi' },
        { role: 'user', text: 'How are you?' },
      ],
    });
  });

  it('takes tool calls, and gives them back with their results', async () => {
    host.next({
      kind: 'reply',
      reply: { text: 'Let me see.', toolCalls: [{ name: 'look_up', arguments: { city: 'Łódź' } }] },
    });
    const parts = await drain(open().stream(requestOf({ tools: TOOLS })));
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part.call] : []));
    expect(calls).toEqual([{ id: expect.any(String), name: 'look_up', arguments: { city: 'Łódź' } }]);
    expect(parts.at(-1)).toMatchObject({ type: 'end', finishReason: 'tool-calls' });

    const answered: ChatMessage[] = [
      ...HISTORY,
      { role: 'assistant', content: 'Let me see.', toolCalls: calls },
      { role: 'tool', content: 'sunny', toolCallId: calls[0]!.id, name: 'look_up' },
    ];
    await drain(open().stream(requestOf({ messages: answered, tools: TOOLS })));
    expect(host.requests[1]!.messages.slice(-2)).toEqual([
      { role: 'assistant', text: 'Let me see.', calls: [{ name: 'look_up', arguments: { city: 'Łódź' } }] },
      { role: 'tool', text: 'sunny' },
    ]);
    expect(JSON.stringify(host.requests[1]!.body['tools'])).toContain('Looks up the weather.');
  });

  it('shows signs of life while it thinks, with its words, and while it writes a call', async () => {
    const toolCalls = [{ name: 'look_up', arguments: { city: 'Oslo' } }];
    host.next({ kind: 'reply', reply: { reasoning: ['Let me', ' see.'], toolCalls } });
    host.next({ kind: 'reply', reply: { toolCalls } });
    const thinking = await drain(open().stream(requestOf({ tools: TOOLS })));
    expect(thinking[0]?.type).toBe('alive');
    const words = thinking.map((part) => (part.type === 'alive' ? part.text : '')).join('');
    // Over this one no words of a thought are asked for.
    if (name !== 'openai-responses') expect(words).toContain('Let me see.');
    const [calling] = await drain(open().stream(requestOf({ tools: TOOLS })));
    // The calls of these come whole.
    expect(calling?.type).toBe(name === 'gemini' || name === 'ollama' ? 'tool-call' : 'alive');
  });

  it.each([
    ['a wrong key', 'unauthorized'],
    ['a rate limit', 'rate-limited'],
    ['a spend limit', 'spend-limit'],
    ['an overload', 'overloaded'],
    ['a bad request', 'invalid-request'],
  ] as const)('tells %s', async (what, kind) => {
    if (what === 'a rate limit') host.next({ kind: 'rate-limit', retryAfterSeconds: 7 });
    if (what === 'a spend limit') host.next({ kind: 'spend-limit' });
    if (what === 'an overload') host.next({ kind: 'status', status: 529 });
    if (what === 'a bad request') host.next({ kind: 'status', status: 400 });
    const failed = drain(open(what === 'a wrong key' ? 'wrong' : 'right').stream(requestOf()));
    await expect(failed).rejects.toMatchObject({
      name: 'ModelError',
      kind,
      retryAfterMs: kind === 'rate-limited' ? 7_000 : undefined,
    });
    // The SDKs' own retries are off.
    expect(host.requests.length).toBeLessThanOrEqual(1);
  });

  it('reads nothing from what the model said in a refusal', async () => {
    if (name === 'gemini' || name === 'ollama') return; // they put none of it there
    const failed_generation = 'At that temperature the model is no longer available: insufficient funds.';
    const error = { message: 'Failed to generate.', type: 'invalid_request_error', failed_generation };
    const kindOf = async (told: object) => {
      host.next({ kind: 'status', status: 400, body: { error: told } });
      return drain(open().stream(requestOf({ temperature: 0.5 }))).catch(
        (failure: unknown) => (failure as { kind: string }).kind,
      );
    };
    expect(await kindOf(error)).toBe('invalid-request');
    if (name !== 'anthropic') expect(await kindOf({ ...error, code: 'tool_use_failed' })).toBe('garbled'); // Groq's code
  });

  it.each(['cut', 'error-after-200'] as const)('gives what came before %s, and tells of it', async (kind) => {
    host.replyWith(() => 'one two three four');
    host.next({ kind, afterPieces: 2 });
    const seen: StreamPart[] = [];
    await expect(drain(open().stream(requestOf()), seen)).rejects.toMatchObject({ kind: 'cut-stream' });
    expect(seen).toEqual([
      { type: 'text', text: 'one' },
      { type: 'text', text: ' two' },
    ]);
  });

  it('tells why an answer that had begun failed', async () => {
    if (name === 'gemini' || name === 'ollama') return; // a status tells it, or nothing
    host.next({ kind: 'error-after-200', code: 'rate_limit_exceeded' });
    await expect(drain(open().stream(requestOf()))).rejects.toMatchObject({ kind: 'rate-limited' });
    host.next({ kind: 'error-after-200', code: 'invalid_prompt' });
    await expect(drain(open().stream(requestOf()))).rejects.toMatchObject({ kind: 'invalid-request' });
  });

  it.each([
    ['rate-limited (rate_limit_exceeded)', { error: { message: 'slow down', code: 'rate_limit_exceeded' } }],
    ['unauthorized (authentication_error)', { type: 'error', error: { type: 'authentication_error' } }],
    ['spend-limit', { error: 'insufficient_quota' }],
    ['no-such-model (404)', { object: 'error', message: 'no such model', code: 404 }],
    ['garbled', { error: { message: 'x'.repeat(1_000_000) } }],
    ['garbled (not-streamed)', { choices: [{ message: { content: 'Hello.' } }] }],
    ['garbled (not-streamed)', { error: null, output: [] }],
    ['rate-limited (429)', [{ error: { code: 429, message: 'slow down', status: 'RESOURCE_EXHAUSTED' } }]],
    ['garbled (not-streamed)', [{ candidates: [] }, { candidates: [] }]],
    ['cut-stream', []],
  ])('tells %s where JSON comes in the place of a stream', async (reason, body) => {
    if (name === 'ollama') return; // its streams are JSON
    for (const isKeptAlive of [false, true]) {
      host.next({ kind: 'status', status: 200, body, headers: { 'retry-after': '7' }, isKeptAlive });
      await expect(drain(open().stream(requestOf()))).rejects.toMatchObject({
        message: `${name}: ${reason}`,
        ...(reason.startsWith('rate') && { retryAfterMs: 7_000 }),
      });
    }
  });

  it('takes a page in the place of a stream for no answer', async () => {
    const page = { body: '<!doctype html>\n<p>Log in</p>', headers: { 'content-type': 'text/html' } };
    for (const isKeptAlive of [false, true]) {
      host.next({ kind: 'status', status: 200, ...page, isKeptAlive });
      await expect(drain(open().stream(requestOf()))).rejects.toMatchObject({ kind: 'garbled' });
    }
  });

  it('gives bytes that are no text as such, and a thought without end up', async () => {
    host.next({ kind: 'garbage' });
    expect(JSON.stringify(await drain(open().stream(requestOf())))).toContain('\uFFFD');
    if (name === 'gemini' || name === 'openai-responses') return; // nothing is held of the one; the other comes whole
    const reply = { text: 'So.', reasoning: ['x'.repeat(250_000), 'y'.repeat(250_000)] };
    host.next({ kind: 'reply', reply });
    await expect(drain(open().stream(requestOf()))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('tells a refusal', async () => {
    host.next({ kind: 'reply', reply: { text: 'I can not help.', isRefused: true } });
    const parts = drain(open().stream(requestOf()));
    if (name === 'ollama') await parts; // an open model refuses in plain words
    else if (name === 'gemini') expect((await parts).at(-1)).toMatchObject({ finishReason: 'filtered' });
    else await expect(parts).rejects.toMatchObject({ kind: 'refused' });
  });

  it('tells an answer that came to its limit', async () => {
    host.next({ kind: 'reply', reply: { text: 'And so', isCut: true } });
    expect((await drain(open().stream(requestOf()))).at(-1)).toMatchObject({ finishReason: 'length' });
  });

  it('keeps what was said before a call that its limit cut', async () => {
    const toolCalls = [{ name: 'look_up', arguments: { city: 'Oslo' } }];
    host.next({ kind: 'reply', reply: { text: 'Hm.', toolCalls, isCut: true } });
    const parts = await drain(open().stream(requestOf({ tools: TOOLS })));
    expect(parts.filter(({ type }) => type !== 'alive')).toMatchObject([
      { type: 'text', text: 'Hm.' },
      { type: 'end', finishReason: 'length' },
    ]);
  });

  it('ends with its signal', async () => {
    host.next({ kind: 'hang' });
    const ending = new AbortController();
    const parts = drain(open().stream(requestOf({ signal: ending.signal }))).catch((error: unknown) => error);
    ending.abort(new Error('enough'));
    // With an error or with nothing, as its SDK has it; the chain throws the signal's own reason.
    expect(await parts).toBeDefined();
  });

  it('tells JSON that stops in the middle', async () => {
    host.next({ kind: 'truncated-json' });
    await expect(drain(open().stream(requestOf()))).rejects.toMatchObject({ kind: 'garbled' });
  });

  it('tells a host that is not there', async () => {
    const gone = await ScriptedModel.start();
    const { url } = gone;
    await gone.stop();
    await expect(drain(provider.open('k', url).stream(requestOf()))).rejects.toMatchObject({
      kind: 'unreachable',
    });
  });
});

describe("OpenAI's SDK", () => {
  it('is opened for calls without a stream too', async () => {
    const client = await openAiClient({ apiKey: 'right', baseUrl: `${host.url}/v1` });
    const { data } = await client.embeddings.create({ model: 'scripted-1', input: ['a', 'b'] });
    expect(data).toHaveLength(2);
  });
});
