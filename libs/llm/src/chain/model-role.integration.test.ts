import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { eventually, ScriptedModel } from '@kith/testing';
import { z } from 'zod';
import { completeJson } from '../complete-json.js';
import { CallHooks } from '../hooks/call-hooks.js';
import { HookList } from '../hooks/hook-list.js';
import type { Hook } from '../hooks/hook.js';
import type { CallResponse } from '../hooks/model-call.js';
import { createModelRoles, type ModelRoles } from '../settings/model-roles.js';
import type { ModelSettings } from '../settings/model-settings.js';
import type { ModelRole, RoleEvent } from './model-role.js';

let first: ScriptedModel;
let second: ScriptedModel;
beforeAll(async () => {
  [first, second] = await Promise.all([ScriptedModel.start(), ScriptedModel.start()]);
});
afterEach(() => {
  first.reset();
  second.reset();
});
afterAll(() => Promise.all([first.stop(), second.stop()]));

const FIRST = 'compatible:one';
const SECOND = 'groq:two';

/** A chain of two models at two hosts, or of the first alone. */
function chain(overrides: Partial<ModelSettings> = {}): ModelRole {
  return roles(overrides).chat;
}

function roles(overrides: Partial<ModelSettings>): ModelRoles {
  first.replyWith(() => 'The first one speaks.');
  second.replyWith(() => 'The second one speaks.');
  return createModelRoles({
    ...first.settings(5_000),
    chatModels: `${FIRST},${SECOND}`,
    budgetMs: 10_000,
    groq: { apiKey: 'k', baseUrl: second.url },
    gemini: { apiKey: 'k', baseUrl: first.url },
    ...overrides,
  });
}

const HALF_CALL = { tool_calls: [{ id: 'a', function: { name: 'look_up', arguments: '{"ci' } }] };

/** Thoughts that no model writes. */
const ENDLESS = ['x'.repeat(250_000), 'y'.repeat(250_000)];
/** Parts of them, as Mistral's models write them. */
const THOUGHT = ENDLESS.map((text) => ({ type: 'thinking', thinking: [{ type: 'text', text }] }));
const THINKING = { choices: [{ delta: { content: THOUGHT }, finish_reason: 'stop' }] };

const request = { messages: [{ role: 'user', content: 'Hello' }] as const };

async function collect(events: AsyncIterable<RoleEvent>): Promise<RoleEvent[]> {
  const seen: RoleEvent[] = [];
  for await (const event of events) seen.push(event);
  return seen;
}

describe('a chain of models', () => {
  it('lets the first one answer', async () => {
    const reply = await chain().complete(request);
    expect(reply).toMatchObject({
      text: 'The first one speaks.',
      model: FIRST,
      finishReason: 'stop',
      usage: { promptTokens: 2, completionTokens: 6 },
      usageIsEstimated: false,
      tries: [{ model: FIRST, kind: 'answered', tookMs: expect.any(Number) }],
    });
    expect(second.requests).toEqual([]);
  });

  it.each([FIRST, SECOND, 'gemini:three'])('says the same whole and streamed by %s', async (model) => {
    const role = chain({ chatModels: model });
    const whole = await role.complete(request);
    const events = await collect(role.stream(request));
    const end = events.at(-1);
    expect(whole).toMatchObject({ model, usage: { promptTokens: 2, completionTokens: 6 } });
    expect(events.map((event) => (event.type === 'text' ? event.text : '')).join('')).toBe(whole.text);
    expect(end).toMatchObject({ type: 'end', result: { text: whole.text, usage: whole.usage } });
  });

  it.each([
    ['spend-limit', { kind: 'spend-limit' }, 1],
    ['invalid-request', { kind: 'status', status: 400 }, 1],
    ['overloaded', { kind: 'status', status: 503 }, 3],
    ['rate-limited', { kind: 'rate-limit', retryAfterSeconds: 60 }, 1],
    ['empty', { kind: 'empty' }, 2],
    ['empty', { kind: 'reply', reply: { text: ' \0\0 ' } }, 2],
    ['garbled', { kind: 'garbage' }, 2],
    ['garbled', { kind: 'huge', characters: 1_000_000 }, 2],
    ['cut-stream', { kind: 'cut', afterPieces: 1 }, 2],
  ] as const)('goes on to the next one after %s from %j', async (kind, behaviour, tries) => {
    first.always(behaviour);
    const reply = await chain().complete(request);
    expect(reply.text).toBe('The second one speaks.');
    expect(reply.model).toBe(SECOND);
    expect(reply.tries.map((one) => [one.model, one.kind])).toEqual([
      ...Array.from({ length: tries }, () => [FIRST, kind]),
      [SECOND, 'answered'],
    ]);
    expect(first.requests).toHaveLength(tries);
  });

  it.each([
    ['no first token', { firstTokenTimeoutMs: 1_500 }, { kind: 'hang' }],
    ['no end', { tryTimeoutMs: 1_500 }, { kind: 'slow', pieceMs: 1_000 }],
  ] as const)('goes on to the next one when there is %s in time', async (_, limits, behaviour) => {
    first.next(behaviour);
    const { tries, text } = await chain(limits).complete(request);
    expect(text).toBe('The second one speaks.');
    expect(tries.map(({ kind }) => kind)).toEqual(['timeout', 'answered']);
  });

  it('sends no half of a character that a cut has left', async () => {
    const tools = [{ name: 'look', description: 'Looks. \ud83d', parameters: { type: 'object' } }];
    await chain().complete({ messages: [{ role: 'user', content: 'Hello \ud83d' }], tools });
    expect(first.requests[0]!.messages.at(-1)!.text).toBe('Hello \ufffd');
  });

  it('takes a model that thinks for one that answers', async () => {
    const role = chain({ firstTokenTimeoutMs: 1_000 });
    first.replyWith(() => ({ text: 'Well.', reasoning: ['I', ' think', ' it', ' over.'] }));
    first.next({ kind: 'slow', thoughtMs: 500 });
    const { tries, thought } = await role.complete(request);
    expect(tries).toMatchObject([{ model: FIRST, kind: 'answered' }]);
    expect(thought).toBe('I think it over.');
  });

  it('waits as long as a rate limit says, and asks again', async () => {
    first.next({ kind: 'rate-limit', retryAfterSeconds: 0.3 });
    const started = performance.now();
    const { model } = await chain().complete(request);
    expect(model).toBe(FIRST);
    // Timers may fire a millisecond early by the monotonic clock.
    expect(performance.now() - started).toBeGreaterThanOrEqual(299);
  });

  it('tells that what was streamed does not count any more', async () => {
    first.next({ kind: 'cut', afterPieces: 2 });
    const events = await collect(chain().stream(request));
    const story = events.map((event) => (event.type === 'text' ? event.text : event.type));
    expect(story).toEqual(['The', ' first', 'restart', 'The', ' first', ' one', ' speaks.', 'end']);
  });

  it.each([
    ['compatible:one', { choices: [{ delta: { content: 'The first' }, finish_reason: 'content_filter' }] }],
    [
      'compatible:one',
      { choices: [{ delta: { content: 'The first', ...HALF_CALL }, finish_reason: 'content_filter' }] },
    ],
    [
      'gemini:three',
      { candidates: [{ content: { parts: [{ text: 'The first' }] }, finishReason: 'SAFETY' }] },
    ],
  ])('takes back what %s said before its filter cut it, and asks the next one', async (model, event) => {
    const half = { kind: 'status', status: 200, body: `data: ${JSON.stringify(event)}\n\n` } as const;
    first.next(half);
    const events = await collect(chain({ chatModels: `${model},${SECOND}` }).stream(request));
    const story = events.map((event) => (event.type === 'text' ? event.text : event.type));
    expect(story).toEqual(['The first', 'restart', 'The', ' second', ' one', ' speaks.', 'end']);
    first.next(half);
    await expect(chain({ chatModels: model }).complete(request)).rejects.toThrow(`${model} refused`);
  });

  it.each([
    ['gemini:three', { kind: 'reply', reply: { reasoning: ENDLESS, text: 'So.' } }],
    [FIRST, { kind: 'reply', reply: { text: `<think>${ENDLESS.join(' ')}</think>So.` } }],
    [FIRST, { kind: 'status', status: 200, body: `data: ${JSON.stringify(THINKING)}\n\n` }],
  ] as const)('gives a thought without end of %s up, and counts it', async (model, behaviour) => {
    const ends: CallResponse[] = [];
    const hooks = new CallHooks([(end) => ends.push(end)]);
    const settings = { ...first.settings(5_000), gemini: { apiKey: 'k', baseUrl: first.url } };
    const role = createModelRoles({ ...settings, chatModels: model, maxTries: 1 }, undefined, hooks).chat;
    first.next(behaviour);
    await expect(role.complete(request)).rejects.toThrow(`${model} garbled`);
    expect(ends[0]!.usage.completionTokens).toBeGreaterThan(100_000);
  });

  it('asks no more where the answer came to its limit in thoughts, and trusts the model as before', async () => {
    const role = chain({ chatModels: FIRST });
    first.replyWith(() => ({ reasoning: ['Hm.'], isCut: true }));
    for (let again = 0; again < 5; again++)
      await expect(role.complete(request)).rejects.toThrow(`${FIRST} out-of-tokens`);
    expect(first.requests).toHaveLength(5);
    expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
  });

  it('trusts a model that thinks and then says nothing, and tells of it; not one that says nothing at all', async () => {
    const role = chain({ chatModels: FIRST });
    first.replyWith(() => ({ reasoning: ['Hm.'] }));
    for (let again = 0; again < 3; again++)
      await expect(role.complete(request)).rejects.toThrow(`${FIRST} empty, ${FIRST} empty`);
    await expect(role.probe()).rejects.toThrow();
    expect(role.status()).toMatchObject([{ isTrusted: true, lastError: 'empty' }]);
    first.replyWith(() => 'Hello.');
    expect(await role.probe()).toMatchObject([{ isTrusted: true, lastError: null }]);
    first.replyWith(() => '\n');
    for (let again = 0; again < 3; again++) await expect(role.complete(request)).rejects.toThrow();
    expect(role.status()).toMatchObject([{ isTrusted: false, lastError: 'empty' }]);
  });

  it('keeps silent about tries that had said nothing', async () => {
    first.next({ kind: 'empty' });
    const events = await collect(chain().stream(request));
    expect(events.map(({ type }) => type)).not.toContain('restart');
  });

  it('fails with its tries when all fail, and never rehearses instead', async () => {
    first.always({ kind: 'spend-limit' });
    second.always({ kind: 'status', status: 401 });
    await expect(chain().complete(request)).rejects.toMatchObject({
      name: 'ModelChainError',
      message: `no chat model answered: ${FIRST} spend-limit, ${SECOND} unauthorized`,
      tries: [
        { model: FIRST, kind: 'spend-limit' },
        { model: SECOND, kind: 'unauthorized' },
      ],
    });
  });

  it('stays within its budget', async () => {
    first.always({ kind: 'hang' });
    second.always({ kind: 'hang' });
    const started = performance.now();
    await expect(chain({ budgetMs: 400 }).complete(request)).rejects.toMatchObject({
      tries: [{ model: FIRST, kind: 'timeout' }],
    });
    expect(performance.now() - started).toBeLessThan(3_000);
  });

  it("ends with the caller's reason, without another try", async () => {
    first.next({ kind: 'hang' });
    const caller = new AbortController();
    const waiting = chain().complete({ ...request, signal: caller.signal });
    setTimeout(() => caller.abort(new Error('the person left')), 50);
    await expect(waiting).rejects.toThrow('the person left');
    expect(second.requests).toEqual([]);
  });

  it('marks usage as its own estimate where the host does not count', async () => {
    const rehearsal = chain({ chatModels: 'rehearsal' });
    expect(await rehearsal.complete(request)).toMatchObject({
      model: 'rehearsal',
      usage: { promptTokens: 2, completionTokens: expect.any(Number) },
      usageIsEstimated: true,
    });
  });

  it('finds out by itself that a model is well again, asking only the one that was not', async () => {
    const role = chain();
    first.always({ kind: 'status', status: 500 });
    expect(await role.complete(request)).toMatchObject({ model: SECOND });
    expect(role.status()).toMatchObject([{ lastError: 'overloaded' }, { lastError: null }]);
    const asked = second.requests.length;
    expect(await role.probe()).toMatchObject([{ lastError: 'overloaded' }, { lastError: null }]);
    first.reset();
    expect(await role.probe()).toMatchObject([{ lastError: null }, { lastError: null }]);
    expect(second.requests).toHaveLength(asked);
    const answered = first.requests.length;
    await role.probe();
    expect(first.requests).toHaveLength(answered);
  });

  it('probes a model as well that has thought for all the room it had', async () => {
    const role = chain({ chatModels: FIRST });
    first.next({ kind: 'status', status: 503 });
    first.next({ kind: 'status', status: 503 });
    first.next({ kind: 'status', status: 503 });
    await expect(role.complete(request)).rejects.toThrow();
    first.replyWith(() => ({ text: '<think>Am I there? Perhaps I am', isCut: true }));
    expect(await role.probe()).toMatchObject([{ isTrusted: true, lastError: null }]);
  });

  it('probes a model as sick whose answer is still empty, and leaves one as it was that may not be asked', async () => {
    const role = chain({ chatModels: FIRST });
    first.always({ kind: 'empty' });
    await expect(role.complete(request)).rejects.toThrow();
    await expect(role.probe()).rejects.toThrow();
    expect(role.status()).toMatchObject([{ lastError: 'empty' }]);
    let isSpent = false;
    const hooks = new CallHooks([], undefined, () => isSpent);
    const settings = { ...first.settings(5_000), chatModels: FIRST, budgetMs: 300 };
    const spent = createModelRoles(settings, undefined, hooks).chat;
    first.always({ kind: 'status', status: 503 });
    await expect(spent.complete(request)).rejects.toThrow();
    const before = spent.status();
    isSpent = true;
    await expect(spent.probe()).rejects.toThrow();
    expect(spent.status()).toEqual(before);
    expect((await spent.test())[0]?.checks[0]).toMatchObject({ problem: 'the day’s tokens are spent' });
  });

  it('probes a model as well that refuses what a probe asks, and leaves it to the next caller where a hook does', async () => {
    let isRefused = false;
    const hook: Hook = {
      name: 'h',
      order: 0,
      onFailure: 'open',
      timeoutMs: 60_000,
      beforeInvoke: () => (isRefused ? { refuse: 'not now' } : undefined),
    };
    const settings = { ...first.settings(5_000), chatModels: FIRST };
    const role = createModelRoles(settings, undefined, new CallHooks([], new HookList([hook]))).chat;
    const now = performance.now.bind(performance);
    const clock = jest.spyOn(performance, 'now');
    first.next({ kind: 'spend-limit' });
    await expect(role.complete(request)).rejects.toThrow();
    clock.mockImplementation(() => now() + 3_600_000);
    isRefused = true;
    await expect(role.probe()).rejects.toThrow();
    isRefused = false;
    expect(await role.complete(request)).toMatchObject({ model: FIRST });
    first.next({ kind: 'spend-limit' });
    await expect(role.complete(request)).rejects.toThrow();
    clock.mockImplementation(() => now() + 7_200_000);
    first.next({ kind: 'status', status: 400 });
    expect(await role.probe()).toMatchObject([{ isTrusted: true, lastError: null }]);
    clock.mockRestore();
  });

  it('asks each model that may be well before it asks one again for the last tries', async () => {
    const away = 'http://127.0.0.1:1/v1';
    const compatible = { hosts: { away, gone: away, well: `${first.url}/v1` } };
    const role = chain({ chatModels: 'away:m,gone:m,well:m', maxTries: 4, compatible });
    const { tries } = await role.complete(request);
    expect(tries.map(({ model, kind }) => `${model} ${kind}`)).toEqual([
      'away:m unreachable',
      'away:m unreachable',
      'gone:m unreachable',
      'well:m answered',
    ]);
  });

  it('keeps what a call has found while a probe was under way', async () => {
    const role = chain({ chatModels: FIRST, maxTries: 1 });
    first.next({ kind: 'status', status: 503 });
    await expect(role.complete(request)).rejects.toThrow();
    const after = setTimeout;
    // The time of a probe is over as soon as the call has been answered.
    const timers = jest
      .spyOn(globalThis, 'setTimeout')
      .mockImplementation(((run: () => void, ms: number) => after(run, ms === 10_000 ? 300 : ms)) as never);
    first.replyWith(() => ({ text: 'Yes.', reasoning: ['Am', ' I?'] }));
    first.next({ kind: 'slow', thoughtMs: 2_000 });
    const probed = role.probe();
    await eventually('the probe is under way', () => first.requests.length === 2);
    first.next({ kind: 'spend-limit' });
    await expect(role.complete(request)).rejects.toThrow();
    await expect(probed).rejects.toThrow();
    expect(role.status()).toMatchObject([{ isTrusted: false, lastError: 'spend-limit' }]);
    timers.mockRestore();
  });

  it('shows pictures to those that see, and to no others', async () => {
    const role = chain({ cards: JSON.stringify({ [SECOND]: { images: true } }) });
    first.next({ kind: 'spend-limit' });
    const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const content = [{ type: 'text', text: 'look' }, picture] as const;
    await role.complete({ messages: [{ role: 'user', content }] });
    expect([first, second].map(({ requests }) => requests.map(({ messages }) => messages))).toEqual([
      [[{ role: 'user', text: 'look' }]],
      [[{ role: 'user', text: 'look', images: ['image/png'] }]],
    ]);
  });

  it('asks again without pictures where a host refuses them, and only there', async () => {
    const role = chain({ chatModels: FIRST, cards: JSON.stringify({ [FIRST]: { images: true } }) });
    const picture = { type: 'image', mediaType: 'image/png', data: 'no base64' } as const;
    const content = [{ type: 'text', text: 'look' }, picture] as const;
    const { tries } = await role.complete({ messages: [{ role: 'user', content }] });
    expect(tries.map(({ kind }) => kind)).toEqual(['invalid-request', 'answered']);
    first.replyWith(() => ({ reasoning: ['Hm.'], isCut: true }));
    const seen = [content[0], { ...picture, data: 'iVBORw0KGgo=' }] as const;
    await expect(role.complete({ messages: [{ role: 'user', content: seen }] })).rejects.toMatchObject({
      tries: [{ kind: 'out-of-tokens' }],
    });
  });

  describe('where a host refuses the schema of a tool, and the whole request for it', () => {
    const tools = ['own', 'pad__find', 'pad__find_all'].map((name) => ({
      name,
      description: 'Finds.',
      parameters: { type: 'object' },
    }));
    const refuse = (message: string) =>
      first.next({
        kind: 'status',
        status: 400,
        body: { error: { message, type: 'invalid_request_error' } },
      });
    const offered = () =>
      first.requests.map(({ body }) =>
        ((body as { tools?: { function: { name: string } }[] }).tools ?? []).map(
          (tool) => tool.function.name,
        ),
      );

    it.each([
      "Invalid schema for function 'pad__find': In context=('properties', 'own'), array schema missing items.",
      'tools.1.custom.input_schema: input_schema does not support oneOf, allOf, or anyOf at the top level',
      'GenerateContentRequest.tools[0].function_declarations[1].parameters.properties[ids].items: missing field',
    ])('goes without that tool from then on: %s', async (words) => {
      const role = chain({ chatModels: FIRST });
      refuse(words);
      const { text, tries } = await role.complete({ ...request, tools });
      expect(text).toBe('The first one speaks.');
      expect(tries).toMatchObject([
        { kind: 'invalid-request', leftOut: ['pad__find'] },
        { kind: 'answered' },
      ]);
      await role.complete({ ...request, tools });
      const rest = ['own', 'pad__find_all'];
      expect(offered()).toEqual([['own', 'pad__find', 'pad__find_all'], rest, rest]);
      expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
    });

    it('goes without any where it refuses a second one, or names none', async () => {
      const role = chain({ chatModels: FIRST });
      refuse("Invalid schema for function 'pad__find'");
      refuse("Invalid schema for function 'pad__find_all'");
      await role.complete({ ...request, tools });
      await role.complete({ ...request, tools });
      refuse('"auto" tool choice requires --enable-auto-tool-choice to be set');
      await role.complete({ ...request, tools });
      expect(offered().map(({ length }) => length)).toEqual([3, 2, 0, 1, 1, 0]);
    });

    it('takes no other refusal for one of tools, nor one that tells of a call', async () => {
      const role = chain({ chatModels: FIRST });
      refuse('messages: the last one is empty');
      await expect(role.complete({ ...request, tools })).rejects.toThrow('invalid-request');
      refuse('Function call is missing a thought_signature: function call `default_api:own`, position 2');
      await role.complete({ ...request, tools });
      await role.complete({ ...request, tools });
      expect(offered().map(({ length }) => length)).toEqual([3, 3, 0, 3]);
    });
  });

  it('asks for words alone where calls can not be read again and again, and no other model is left', async () => {
    const tools = [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }];
    const error = { message: 'Failed to call a function.', code: 'tool_use_failed' };
    const miswritten = { kind: 'status', status: 400, body: { error } } as const;
    const toolsOf = ({ requests }: ScriptedModel) =>
      requests.map(({ body }) => (body as { tools?: unknown[] }).tools?.length ?? 0);
    const miswrite = () => [miswritten, miswritten].forEach((one) => first.next(one));
    miswrite();
    const { text, tries } = await chain({ chatModels: FIRST }).complete({ ...request, tools });
    expect(text).toBe('The first one speaks.');
    expect(tries.map(({ kind }) => kind)).toEqual(['garbled', 'garbled', 'answered']);
    miswrite();
    await chain().complete({ ...request, tools });
    expect([first, second].map(toolsOf)).toEqual([[1, 1, 0, 1, 1], [1]]);
    const role = chain();
    second.next({ kind: 'spend-limit' });
    miswrite();
    await expect(role.complete({ ...request, tools })).rejects.toThrow('spend-limit');
    miswrite();
    const last = await role.complete({ ...request, tools });
    expect(last.tries.map(({ kind }) => kind)).toEqual(['garbled', 'garbled', 'answered']);
  });

  // As llama.cpp and vLLM refuse it.
  it.each([
    [
      500,
      { error: { code: 500, message: 'Jinja Exception: Conversation roles must alternate user/assistant' } },
    ],
    [400, { object: 'error', message: 'Conversation roles must alternate user/assistant/user/...' }],
  ])('asks by turns from then on where a chat template takes nothing else: %i', async (status, body) => {
    const role = chain({ chatModels: FIRST });
    const messages = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: 'Notes.' },
      { role: 'user', content: 'Hello' },
    ] as const;
    first.next({ kind: 'status', status, body });
    expect((await role.complete({ messages })).text).toBe('The first one speaks.');
    await role.complete({ messages });
    const turns = [
      { role: 'system', text: 'Be kind.' },
      { role: 'user', text: 'Notes.\n\nHello' },
    ];
    expect(first.requests.slice(1).map(({ messages: heard }) => heard)).toEqual([turns, turns]);
    expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
    first.always({ kind: 'status', status, body });
    await expect(role.complete({ messages })).rejects.toThrow('no chat model answered');
  });

  it('asks again without pictures where a prompt is too long with them, and takes no context for smaller', async () => {
    const { chat, cards } = roles({
      chatModels: FIRST,
      cards: JSON.stringify({ [FIRST]: { images: true } }),
    });
    const error = { message: 'too much', code: 'context_length_exceeded' };
    const tooLong = { kind: 'status', status: 400, body: { error } } as const;
    const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const content = [{ type: 'text', text: 'look. '.repeat(1_000) }, picture] as const;
    const ask = () => chat.complete({ messages: [{ role: 'user', content }] });
    const contextOf = () => cards.of(FIRST).contextTokens;
    first.next(tooLong);
    expect((await ask()).tries.map(({ kind }) => kind)).toEqual(['too-long', 'answered']);
    expect(contextOf()).toBe(8_192);
    first.always(tooLong);
    await expect(ask()).rejects.toThrow('too-long');
    expect(contextOf()).toBeLessThan(2_000);
    expect(chat.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
  });

  it('does not probe a model before its time', async () => {
    const role = chain({ chatModels: FIRST });
    first.next({ kind: 'spend-limit' });
    await expect(role.complete(request)).rejects.toThrow();
    const asked = first.requests.length;
    await expect(role.probe()).rejects.toMatchObject({ name: 'ModelChainError' });
    expect(role.status()).toMatchObject([{ isTrusted: false, lastError: 'spend-limit' }]);
    expect(first.requests).toHaveLength(asked);
  });

  it.each(['aborted', 'refused for what it asks', 'left without a try'])(
    'is probed by the next caller where the last one was %s',
    async (how) => {
      const sick = how === 'left without a try' ? second : first;
      const role = chain({ maxTokens: 1 });
      if (sick === second) first.next({ kind: 'spend-limit' });
      sick.next({ kind: 'spend-limit' });
      await role.complete(request).catch(() => undefined);
      const now = performance.now.bind(performance);
      const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + 3_600_000);
      const asked = sick.requests.length;
      if (how === 'aborted') {
        first.next({ kind: 'hang' });
        await expect(role.complete({ ...request, signal: AbortSignal.timeout(50) })).rejects.toThrow();
      } else if (sick === first) {
        first.next({ kind: 'status', status: 400 });
        expect(await role.complete(request)).toMatchObject({ model: SECOND });
      } else {
        first.always({ kind: 'empty' });
        await expect(role.complete(request)).rejects.toThrow();
        expect(sick.requests).toHaveLength(asked);
        first.reset();
        first.next({ kind: 'spend-limit' });
      }
      const { tries } = await role.complete(request);
      expect(tries.at(-1)).toMatchObject({ model: sick === first ? FIRST : SECOND, kind: 'answered' });
      clock.mockRestore();
    },
  );

  it('keeps the thoughts of a reasoning model to itself', async () => {
    const role = chain();
    first.replyWith(() => '<think>They greet me.</think> Hello you.');
    expect(await role.complete(request)).toMatchObject({ text: 'Hello you.' });
    first.replyWith(() => 'They greet me.\n</think>\n\nHello you.');
    const events = await collect(role.stream(request));
    const story = events.map((event) => (event.type === 'text' ? event.text : event.type));
    expect(story).toEqual(['They', ' greet', ' me.', '\n', 'restart', 'Hello', ' you.', 'end']);
    expect(events.at(-1)).toMatchObject({ result: { text: 'Hello you.', thought: 'They greet me.' } });
    const toolCalls = [{ name: 'look', arguments: {} }];
    first.replyWith(() => ({ text: 'I look it up.\n</think>\n\n', toolCalls }));
    const tools = [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }];
    const called = await collect(role.stream({ ...request, tools }));
    expect(called.slice(-2)).toMatchObject([
      { type: 'restart' },
      { type: 'end', result: { text: '', thought: 'I look it up.', toolCalls: [{ name: 'look' }] } },
    ]);
  });
});

describe('a call of a tool', () => {
  it.each([FIRST, SECOND, 'gemini:three'])('by %s holds nothing that no store can hold', async (label) => {
    const role = chain({ chatModels: label });
    const odd = { 'te\0xt': 'a\0b\ud800', list: [{ of: '\0' }] };
    const answer = () => ({ text: '', toolCalls: [{ name: 'send_note', arguments: odd }] });
    first.replyWith(answer);
    second.replyWith(answer);
    const tools = [{ name: 'send_note', description: 'Sends.', parameters: { type: 'object' } }];
    expect((await role.complete({ ...request, tools })).toolCalls).toMatchObject([
      { name: 'send_note', arguments: { text: 'ab\ufffd', list: [{ of: '' }] } },
    ]);
  });
});

describe('completeJson', () => {
  const Mood = z.object({ mood: z.enum(['good', 'bad']), strength: z.number() });
  const ask = (role: ModelRole) =>
    completeJson(role, { system: 'Read the mood.', user: 'Hello' }, Mood, { maxTokens: 100 });

  it.each([
    '{"mood":"good","strength":0.5}',
    'Sure!\n```json\n{"mood":"good","strength":0.5}\n```\nAnything else?',
    'Here: {"mood":"good","strength":0.5} — done.',
  ])('reads %j', async (answer) => {
    const role = chain();
    first.replyWith(() => answer);
    expect(await ask(role)).toEqual({ mood: 'good', strength: 0.5 });
    expect(first.requests).toHaveLength(1);
  });

  it('says what was wrong, and takes the mended answer', async () => {
    const role = chain();
    first.next({ kind: 'reply', reply: '{"mood":"fine"}' });
    first.replyWith(() => '{"mood":"bad","strength":1}');
    expect(await ask(role)).toEqual({ mood: 'bad', strength: 1 });
    expect(first.requests[1]?.messages.slice(-2)).toEqual([
      { role: 'assistant', text: '{"mood":"fine"}' },
      { role: 'user', text: expect.stringMatching(/mood: .*strength: /) },
    ]);
  });

  it('reads nothing that no store can hold', async () => {
    const role = chain();
    const Note = z.object({ text: z.string().max(3), of: z.array(z.string()) });
    first.replyWith(() => JSON.stringify({ text: 'a\0b\ud800', of: ['\0'] }));
    const note = await completeJson(role, { system: 'Note it.', user: 'Hello' }, Note, { maxTokens: 100 });
    expect(note).toEqual({ text: 'ab\ufffd', of: [''] });
  });

  it('gives up on a model that answers wrongly twice', async () => {
    const role = chain();
    first.replyWith(() => 'I feel great');
    await expect(ask(role)).rejects.toMatchObject({ name: 'ModelError', kind: 'garbled' });
    expect(first.requests).toHaveLength(2);
  });
});
