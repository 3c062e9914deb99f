import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedModel } from '@kith/testing';
import type { ChatMessage } from '../messages.js';
import { createModelRoles } from '../settings/model-roles.js';
import { CallHooks } from './call-hooks.js';
import type { Hook, HookRun } from './hook.js';
import type { CallResponse } from './model-call.js';
import { HookList } from './hook-list.js';

let model: ScriptedModel;
const seen: CallResponse[] = [];
const SCRIPTED = 'compatible:scripted';
const COUNTED = { promptTokens: 700, completionTokens: 90 };
const MESSAGES: readonly ChatMessage[] = [{ role: 'user', content: 'Hello there' }];

/** A thousand characters, a token each four. */
const THOUGHT = 'abc '.repeat(250);
const SAID = [{ type: 'text', text: THOUGHT }];
const IN_BLOCK = { type: 'content_block_delta', index: 0 };

/** Writes an event as a stream has it. */
function written(event: object): string {
  return `${'type' in event ? `event: ${String(event.type)}\n` : ''}data: ${JSON.stringify(event)}\n\n`;
}

beforeAll(async () => {
  model = await ScriptedModel.start();
});
afterEach(() => {
  model.reset();
  seen.length = 0;
});
afterAll(() => model.stop());

function chat(hooks: readonly Hook[] = [], chatModels = SCRIPTED, spent: readonly string[] = []) {
  const calls = new CallHooks(
    [(response) => seen.push(response)],
    new HookList(hooks),
    ({ account }) => account.personId !== undefined && spent.includes(account.personId),
  );
  return createModelRoles(
    {
      ...model.settings(20_000),
      chatModels,
      gemini: { apiKey: 'k', baseUrl: model.url },
      anthropic: { apiKey: 'k', baseUrl: model.url },
      openai: { apiKey: 'k', baseUrl: `${model.url}/v1`, api: 'responses' },
      cards: `{"${SCRIPTED}":{"images":true,"price":{"input":1000000,"output":2000000}}}`,
    },
    undefined,
    calls,
  ).chat;
}

const hook = (more: Partial<Hook>): Hook => ({
  name: 'h',
  order: 0,
  onFailure: 'open',
  timeoutMs: 60_000,
  ...more,
});

describe('each call of a model', () => {
  it('is counted with what its host says, its price, and whom it was for', async () => {
    model.replyWith(() => 'Good morning.');
    const { tries } = await chat().complete({ messages: MESSAGES, account: { personId: 'p' } });
    const [{ usage, cost, ...call }] = seen as [CallResponse];
    expect(call).toMatchObject({
      role: 'chat',
      model: SCRIPTED,
      ended: 'answered',
      account: { personId: 'p' },
    });
    expect(call.usageIsEstimated).toBe(false);
    expect(cost).toBe(usage.promptTokens + 2 * usage.completionTokens);
    expect(tries).toMatchObject([{ cost }]);
  });

  it('is counted when it breaks, with what was written until then, and when another follows', async () => {
    model.next({ kind: 'cut' });
    model.replyWith(() => 'Good morning.');
    await chat().complete({ messages: MESSAGES });
    expect(seen.map(({ ended }) => ended)).toEqual(['cut-stream', 'answered']);
    expect(seen[0]).toMatchObject({ usageIsEstimated: true });
    expect(seen[0]!.usage.promptTokens).toBeGreaterThan(0);
  });

  it('is counted when nobody wants its answer any more', async () => {
    model.replyWith(() => 'A long answer that nobody reads to its end.');
    const controller = new AbortController();
    const reading = (async () => {
      for await (const event of chat().stream({ messages: MESSAGES, signal: controller.signal }))
        if (event.type === 'text') controller.abort(new Error('enough'));
    })();
    await expect(reading).rejects.toThrow('enough');
    for await (const event of chat().stream({ messages: MESSAGES })) if (event.type === 'text') break;
    expect(seen).toMatchObject([
      { ended: 'stopped', usageIsEstimated: true },
      { ended: 'stopped', usageIsEstimated: true },
    ]);
    for (const { usage } of seen) expect(usage.promptTokens + usage.completionTokens).toBeGreaterThan(1);
  });

  it('is not made for whoever has spent the day’s tokens, and speaks against no model', async () => {
    const role = chat([], SCRIPTED, ['ann']);
    const ask = (personId: string) => role.complete({ messages: MESSAGES, account: { personId } });
    await expect(ask('ann')).rejects.toThrow('the day’s tokens are spent');
    expect(model.requests).toEqual([]);
    expect(role.status()).toMatchObject([{ isTrusted: true, lastError: null }]);
    expect((await ask('bo')).text).not.toBe('');
    expect(seen).toMatchObject([
      { ended: 'stopped', usage: { promptTokens: 0, completionTokens: 0 } },
      { ended: 'answered' },
    ]);
  });

  it('costs nothing where it was stopped before its host was asked', async () => {
    const signal = AbortSignal.abort(new Error('overtaken'));
    await expect(chat().complete({ messages: MESSAGES, signal })).rejects.toThrow('overtaken');
    expect(seen).toMatchObject([{ ended: 'stopped', usage: { promptTokens: 0, completionTokens: 0 } }]);
  });

  it('is counted with what was thought and offered where its host counts nothing', async () => {
    const tools = [{ name: 'look_up', description: 'x'.repeat(4_000), parameters: { type: 'object' } }];
    model.replyWith(() => `<think>${'I wonder. '.repeat(100)}</think> Well then.`);
    model.next({ kind: 'cut', afterPieces: 150 });
    await chat().complete({ messages: MESSAGES, tools });
    expect(seen[0]).toMatchObject({ ended: 'cut-stream', usageIsEstimated: true, text: '' });
    expect(seen[0]!.usage.promptTokens).toBeGreaterThan(900);
    expect(seen[0]!.usage.completionTokens).toBeGreaterThan(150);
  });

  it('is counted as its host counts it also where its answer can not be read', async () => {
    const unreadable = { name: 'look_up', arguments: [] as never };
    model.next({ kind: 'reply', reply: { text: 'Let me see.', toolCalls: [unreadable] } });
    await chat().complete({ messages: MESSAGES });
    expect(seen[0]).toMatchObject({
      ended: 'garbled',
      usageIsEstimated: false,
      usage: { promptTokens: 3, completionTokens: 3 },
    });
  });

  it.each([
    ['compatible', { choices: [{ delta: { role: 'assistant' } }] }, { promptTokens: 3, completionTokens: 0 }],
    ['compatible', { usage: { prompt_tokens: 700, completion_tokens: 90 } }, COUNTED],
    ['gemini', { usageMetadata: { promptTokenCount: 700, thoughtsTokenCount: 90 } }, COUNTED],
    [
      'anthropic',
      { type: 'message_start', message: { usage: { input_tokens: 700 } } },
      { ...COUNTED, completionTokens: 0 },
    ],
    ['openai', { type: 'response.created', response: {} }, { promptTokens: 3, completionTokens: 0 }],
  ])('is counted where the stream of %s ends after %j', async (host, event, usage) => {
    model.next({ kind: 'status', status: 200, body: written(event) });
    await chat([], `${host}:scripted`).complete({ messages: MESSAGES });
    expect(seen[0]).toMatchObject({ ended: 'cut-stream', usage, usageIsEstimated: true });
  });

  it.each([
    ['compatible', 'thought', { choices: [{ delta: { reasoning_content: THOUGHT } }] }],
    [
      'compatible',
      'thought aloud',
      { choices: [{ delta: { content: [{ type: 'thinking', thinking: SAID }] } }] },
    ],
    [
      'compatible',
      'half wrote',
      { choices: [{ delta: { tool_calls: [{ function: { name: 'a', arguments: THOUGHT } }] } }] },
    ],
    ['gemini', 'thought', { candidates: [{ content: { parts: [{ text: THOUGHT, thought: true }] } }] }],
    ['anthropic', 'thought', { ...IN_BLOCK, delta: { type: 'thinking_delta', thinking: THOUGHT } }],
    ['anthropic', 'half wrote', { ...IN_BLOCK, delta: { type: 'input_json_delta', partial_json: THOUGHT } }],
    ['openai', 'half wrote', { type: 'response.function_call_arguments.delta', delta: THOUGHT }],
  ])('is counted with what %s %s before its stream ends', async (host, _, event) => {
    const begun = { type: 'content_block_start', index: 0, content_block: { type: 'tool_use' } };
    const events = host === 'anthropic' ? [begun, event] : [event];
    model.next({ kind: 'status', status: 200, body: events.map(written).join('') });
    await chat([], `${host}:scripted`).complete({ messages: MESSAGES });
    expect(seen[0]).toMatchObject({ ended: 'cut-stream', usage: { completionTokens: 250 } });
  });

  it.each([
    ['anthropic', 'cut-stream'],
    ['anthropic', 'stopped'],
    ['gemini', 'cut-stream'],
    ['gemini', 'stopped'],
  ])('is counted as %s has counted until then where it is %s', async (host, ended) => {
    model.replyWith(() => 'Good morning to you.');
    if (ended === 'cut-stream') model.next({ kind: 'cut' });
    // A host counts fewer tokens for digits than we do.
    const messages: ChatMessage[] = [{ role: 'user', content: '1234'.repeat(100) }];
    for await (const event of chat([], `${host}:scripted`).stream({ messages }))
      if (event.type === 'text' && ended === 'stopped') break;
    expect(seen.find((response) => response.ended === ended)).toMatchObject({ usage: { promptTokens: 100 } });
  });

  it.each([
    [
      { prompt_tokens: 0, completion_tokens: 0 },
      { promptTokens: 3, completionTokens: 250 },
    ],
    [
      { prompt_tokens: 700, completion_tokens: 0 },
      { promptTokens: 700, completionTokens: 250 },
    ],
    [
      { prompt_tokens: 0, completion_tokens: 300 },
      { promptTokens: 3, completionTokens: 300 },
    ],
    [
      { prompt_tokens: -700, completion_tokens: 1e300 },
      { promptTokens: 3, completionTokens: 250 },
    ],
  ])('is counted by us where its host counts %j for words', async (told, usage) => {
    const said = { choices: [{ delta: { content: THOUGHT }, finish_reason: 'stop' }] };
    model.next({ kind: 'status', status: 200, body: written(said) + written({ choices: [], usage: told }) });
    await chat().complete({ messages: MESSAGES });
    expect(seen).toMatchObject([{ ended: 'answered', usage, usageIsEstimated: true }]);
  });

  it('is counted with the most that its host told, where it counts nought in the end', async () => {
    const usages = [
      { prompt_tokens: 700, completion_tokens: 300 },
      { prompt_tokens: 0, completion_tokens: 0 },
    ];
    const said = { choices: [{ delta: { content: 'Hi' }, finish_reason: 'stop' }] };
    const chunks = [said, ...usages.map((usage) => ({ choices: [], usage }))];
    model.next({ kind: 'status', status: 200, body: chunks.map(written).join('') });
    await chat().complete({ messages: MESSAGES });
    const usage = { promptTokens: 700, completionTokens: 300 };
    expect(seen).toMatchObject([{ ended: 'answered', usage, usageIsEstimated: true }]);
  });

  it('costs nothing where its host said nothing at all', async () => {
    model.next({ kind: 'status', status: 200, body: '' });
    await chat().complete({ messages: MESSAGES });
    expect(seen[0]).toMatchObject({ ended: 'empty', usage: { promptTokens: 0 }, cost: 0 });
  });

  it('costs nothing where its host took nothing up', async () => {
    model.always({ kind: 'status', status: 401 });
    await expect(chat().complete({ messages: MESSAGES })).rejects.toThrow();
    expect(seen).toMatchObject([
      { ended: 'unauthorized', usage: { promptTokens: 0, completionTokens: 0 }, cost: 0 },
    ]);
  });
});

describe("an operator's hook on calls", () => {
  it('adds to what is sent, and changes nothing of ours', async () => {
    model.replyWith(({ messages }) => messages.at(-1)!.text);
    const adds = hook({
      beforeInvoke: (messages) => [...(messages as ChatMessage[]), { role: 'user', content: 'In rhyme.' }],
    });
    const runs: HookRun[] = [];
    const reply = await chat([adds]).complete({ messages: MESSAGES, onHook: (run) => runs.push(run) });
    expect(reply.text).toBe('In rhyme.');
    expect(MESSAGES).toHaveLength(1);
    expect(runs).toMatchObject([{ hook: 'h', point: 'beforeInvoke', ended: 'ok' }]);
  });

  it.each([
    [{ role: 'user', content: [{ type: 'text' }] }],
    [{ role: 'user', content: [{ type: 'image' }] }],
    [{ role: 'user', content: 'Hi', name: 7 }],
    [{ role: 'system', content: [{ type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' }] }],
    [{ role: 'tool', content: 'found' }],
    [{ role: 'assistant', content: '', toolCalls: 'look_up' }],
    [{ role: 'assistant', content: '', toolCalls: [{ id: 'a', name: 'look_up' }] }],
    [{ role: 'assistant', content: 'Hi', toolCalls: [null] }],
    [
      {
        role: 'assistant',
        content: 'Hi',
        toolCalls: [{ id: 'a', name: 'b', arguments: {} }],
        reasoning: [null],
      },
    ],
  ])('fails where it writes %j, which is no message', async (message) => {
    model.replyWith(({ messages }) => messages.at(-1)!.text);
    const runs: HookRun[] = [];
    const breaks = hook({ beforeInvoke: (messages) => [...(messages as ChatMessage[]), message] });
    const { text } = await chat([breaks]).complete({ messages: MESSAGES, onHook: (run) => runs.push(run) });
    expect([text, runs.map(({ ended }) => ended)]).toEqual(['Hello there', ['failed']]);
  });

  it('has the next model asked, or none, where it refuses', async () => {
    const refuses = hook({ beforeInvoke: () => ({ refuse: 'not this host' }) });
    await expect(chat([refuses]).complete({ messages: MESSAGES })).rejects.toThrow(`${SCRIPTED} hook`);
    expect(model.requests).toEqual([]);
    expect(seen).toMatchObject([{ ended: 'hook', usage: { promptTokens: 0 } }]);
  });

  it('is not asked again about the same without its pictures', async () => {
    const asked: unknown[] = [];
    const refuses = hook({
      beforeInvoke: (messages) => {
        asked.push(messages);
        return { refuse: 'not this host' };
      },
    });
    const picture = { type: 'image', mediaType: 'image/png', data: 'iVBORw0KGgo=' } as const;
    const sent = { messages: [{ role: 'user', content: [picture] }] } as const;
    await expect(chat([refuses]).complete(sent)).rejects.toThrow(`${SCRIPTED} hook`);
    expect(asked).toMatchObject([sent.messages]);
  });

  it('may refuse an answer, which is paid for all the same', async () => {
    model.replyWith(() => 'Rubbish.');
    const refuses = hook({
      afterInvoke: (_, response) =>
        (response as CallResponse).text === 'Rubbish.' ? { refuse: 'rubbish' } : undefined,
    });
    await expect(chat([refuses]).complete({ messages: MESSAGES })).rejects.toThrow(`${SCRIPTED} hook`);
    expect(seen).toMatchObject([{ ended: 'answered' }]);
    expect(seen[0]!.cost).toBeGreaterThan(0);
  });
});
