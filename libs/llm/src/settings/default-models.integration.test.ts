import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { ScriptedModel } from '@kith/testing';
import { chooseModel } from './choose-model.js';
import { ModelChoices } from './model-choices.js';
import { PREFERENCES } from './model-families.js';
import { openHosts } from './catalogue.js';
import { createModelRoles } from './model-roles.js';
import type { ModelSettings } from './model-settings.js';

let host: ScriptedModel;
beforeAll(async () => void (host = await ScriptedModel.start()));
afterEach(() => host.reset());
afterAll(() => host.stop());

const settings = (overrides: Partial<ModelSettings> = {}): ModelSettings => ({
  ...host.settings(5_000),
  chatModels: '',
  compatible: {},
  ...overrides,
});
const key = (name: 'openai' | 'anthropic' | 'groq' | 'gemini' | 'chutes' | 'ollama') => ({
  [name]: { baseUrl: host.url + (['openai', 'chutes'].includes(name) ? '/v1' : ''), apiKey: 'k' },
});
const request = { messages: [{ role: 'user' as const, content: 'Hello' }] };

describe('lists of models', () => {
  it.each(['openai', 'anthropic', 'groq', 'gemini', 'chutes', 'ollama'] as const)(
    'are read from %s',
    async (name) => {
      host.offer([{ id: 'one' }, { id: 'two' }]);
      const [found] = openHosts(settings(key(name)));
      const offered = await found!.provider.list(AbortSignal.timeout(5_000));
      expect(offered.map(({ id }) => id)).toEqual(['one', 'two']);
    },
  );

  it('tell the end, the context and the price where a host says them, and leave out what can not talk', async () => {
    host.offer([
      { id: 'ending', shutdown_date: '2026-12-11', context_length: 131_072 },
      {
        id: 'priced',
        price: { input: { usd: 0.3, tao: 1 }, output: { usd: 1.2, tao: 4 } },
        context_window: 8_192,
      },
      { id: 'off', active: false },
      { id: 'painter', output_modalities: ['image'] },
      { id: '' },
    ]);
    const [chutes] = openHosts(settings(key('chutes')));
    const offered = await chutes!.provider.list(AbortSignal.timeout(5_000));
    expect(offered).toMatchObject([
      { id: 'ending', retiresOn: '2026-12-11', contextTokens: 131_072, price: null },
      { id: 'priced', retiresOn: null, contextTokens: 8_192, price: { input: 0.3, output: 1.2 } },
    ]);
  });

  it('hide no model for a field that is written in another way', async () => {
    host.offer([
      { id: 'dated', created: '2026-11-22T00:00:00Z', shutdown_date: 0, price: 'free', active: 'yes' },
      { id: 'quoted', created: '1700000000', context_length: '32768', output_modalities: 'text' },
      { id: 'varying', price: { input: { usd: -1 }, output: { usd: -1 } } },
    ]);
    const [chutes] = openHosts(settings(key('chutes')));
    const unknown = { retiresOn: null, price: null };
    expect(await chutes!.provider.list(AbortSignal.timeout(5_000))).toEqual([
      { id: 'dated', createdAtMs: null, contextTokens: null, ...unknown },
      { id: 'quoted', createdAtMs: 1_700_000_000_000, contextTokens: 32_768, ...unknown },
      { id: 'varying', createdAtMs: 1_700_000_000_000, contextTokens: null, ...unknown },
    ]);
  });
});

describe('hosts of the operator’s own naming', () => {
  const compatible = () => ({
    hosts: { lab: `${host.url}/v1`, cloud: `${host.url}/v1` },
    keys: { cloud: 'secret' },
  });

  it('are asked for a model by their name, each with its own key', async () => {
    const { chat } = createModelRoles(settings({ compatible: compatible(), chatModels: 'cloud:a:8b,lab:b' }));
    expect(chat.models).toEqual(['cloud:a:8b', 'lab:b']);
    host.next({ kind: 'status', status: 400 });
    const reply = await chat.complete(request);
    expect(reply.model).toBe('lab:b');
    const sent = host.requests.map(({ model, headers }) => [model, headers.authorization]);
    expect(sent).toEqual([
      ['a:8b', 'Bearer secret'],
      ['b', 'Bearer none'],
    ]);
  });

  it('list their models, and tell no key', async () => {
    host.offer([{ id: 'one' }]);
    const hosts = openHosts(settings({ compatible: compatible() }));
    expect(hosts.map(({ name, defaultsOf }) => [name, defaultsOf])).toEqual([
      ['lab', null],
      ['cloud', null],
    ]);
    expect(await hosts[1]!.provider.list(AbortSignal.timeout(5_000))).toMatchObject([{ id: 'one' }]);
    expect(JSON.stringify(hosts)).not.toContain('secret');
  });
});

describe('OpenAI', () => {
  it.each([
    ['chat', '/v1/chat/completions'],
    ['responses', '/v1/responses'],
  ] as const)('is asked over %s where the settings say so', async (api, path) => {
    const { chat } = createModelRoles(settings({ openai: { apiKey: 'k', baseUrl: `${host.url}/v1`, api } }));
    expect((await chat.complete(request)).model).toBe('openai:gpt-6.1-terra');
    expect(host.requests.map((each) => each.path)).toEqual([path]);
  });
});

describe('Ollama', () => {
  it('is told its context, and talks with the newest line that it holds', async () => {
    const ollama = { baseUrl: host.url, contextTokens: 16_384 };
    host.offer([{ id: 'llama3.2:3b' }, { id: 'qwen3:8b' }, { id: 'nomic-embed-text:latest' }]);
    const [found] = openHosts(settings({ ollama }));
    const offered = await found!.provider.list(AbortSignal.timeout(5_000));
    expect(offered).toMatchObject([{ contextTokens: 16_384 }, {}, {}, { id: 'nomic-embed-text' }]);
    expect(chooseModel(PREFERENCES.ollama.chat.families, offered, Date.now())?.id).toBe('qwen3:8b');
    const { chat, cards } = createModelRoles(settings({ ollama, chatModels: 'ollama:qwen3:8b' }));
    expect(cards.of('ollama:llava').contextTokens).toBe(16_384);
    await chat.complete({ ...request, maxTokens: 50, json: true });
    expect(host.requests[0]!.body).toMatchObject({
      model: 'qwen3:8b',
      think: false,
      format: 'json',
      options: { num_ctx: 16_384, num_predict: 50 },
    });
  });
});

describe('Claude', () => {
  it('is chosen by its line, and by its version', () => {
    const offered = ['claude-sonnet-4-5-20250929', 'claude-sonnet-5', 'claude-sonnet-5-5', 'claude-opus-5-5'];
    const models = offered.map((id) => ({
      id,
      createdAtMs: 0,
      retiresOn: null,
      contextTokens: null,
      price: null,
    }));
    const { chat, fast } = PREFERENCES.anthropic;
    expect(chooseModel(chat.families, models, 0)?.id).toBe('claude-sonnet-5-5');
    expect(chooseModel(fast.families, models, 0)?.id).toBe('claude-sonnet-5-5');
  });

  it('is asked to think as little as its line allows, and without what it refuses', async () => {
    const { chat } = createModelRoles(
      settings({ ...key('anthropic'), chatModels: 'anthropic:claude-sonnet-5-5' }),
    );
    const reply = await chat.complete({ ...request, temperature: 0, maxTokens: 50 });
    expect(reply.tries).toHaveLength(1);
    expect(host.requests[0]!.body).toMatchObject({ thinking: { type: 'between_tools' }, max_tokens: 550 });
    expect(host.requests[0]!.body).not.toHaveProperty('temperature');
    expect(host.refusals).toHaveLength(1);
  });

  it('is told where the prompt stays the same, and with tools where it ends', async () => {
    const { chat } = createModelRoles(settings(key('anthropic')));
    const messages = [
      {
        role: 'system' as const,
        content: [
          { type: 'text' as const, text: 'You are Mira.', stable: true as const },
          { type: 'text' as const, text: 'It is Monday.' },
        ],
      },
      ...request.messages,
    ];
    const tools = [{ name: 'look_up', description: 'Looks up.', parameters: { type: 'object' } }];
    await chat.complete({ messages, tools });
    const kept = { cache_control: { type: 'ephemeral' } };
    expect(host.requests[0]!.body).toMatchObject({
      system: [kept, expect.not.objectContaining(kept)],
      messages: [{ content: [{ text: 'Hello', ...kept }] }],
    });
  });
});

describe('a default model that is gone', () => {
  it('is replaced within the turn that meets it', async () => {
    host.offer([{ id: 'gpt-9-terra' }]);
    const choices = new ModelChoices();
    const asked: string[] = [];
    const { chat } = createModelRoles(settings(key('openai')), {
      choices,
      onGone: async (label) => {
        asked.push(label);
        choices.set([{ host: 'openai', role: 'chat', model: 'gpt-9-terra' }]);
      },
    });
    const reply = await chat.complete(request);
    expect(reply.model).toBe('openai:gpt-9-terra');
    expect(reply.tries.map(({ kind }) => kind)).toEqual(['no-such-model', 'answered']);
    expect(asked).toEqual(['openai:gpt-6.1-terra']);
    expect(chat.models).toEqual(['openai:gpt-9-terra']);
  });

  it('is not replaced where the settings name it: the next one answers', async () => {
    host.offer([{ id: 'there' }]);
    const { chat } = createModelRoles(
      settings({ ...key('openai'), chatModels: 'openai:gone,openai:there' }),
      { choices: new ModelChoices(), onGone: () => Promise.reject(new Error('not to be asked')) },
    );
    const reply = await chat.complete(request);
    expect(reply).toMatchObject({
      model: 'openai:there',
      tries: [{ kind: 'no-such-model' }, { kind: 'answered' }],
    });
  });
});

describe('a parameter that a model refuses', () => {
  const refusal = (param: string) => ({
    kind: 'status' as const,
    status: 400,
    body: {
      error: {
        message: `Unsupported value: '${param}'`,
        type: 'invalid_request_error',
        param,
        code: 'unsupported_value',
      },
    },
  });

  it.each(['openai', 'groq'] as const)('is left out from then on, at %s', async (name) => {
    const { chat } = createModelRoles(settings(key(name)));
    host.next(refusal('temperature'));
    const first = await chat.complete({ ...request, temperature: 0 });
    expect(first.tries).toHaveLength(1);
    await chat.complete({ ...request, temperature: 0 });
    expect(host.requests.map(({ body }) => 'temperature' in body)).toEqual([true, false, false]);
  });

  it('is not looked for where the host means something else', async () => {
    const { chat } = createModelRoles(settings(key('openai')));
    host.always(refusal('messages'));
    await expect(chat.complete(request)).rejects.toThrow('invalid-request');
    expect(host.requests).toHaveLength(1);
  });
});

describe('a model that reasons', () => {
  it.each([
    ['openai:gpt-6.1-terra', { reasoning_effort: 'none', max_completion_tokens: 50 }],
    ['groq:openai/gpt-oss-120b', { reasoning_effort: 'low', max_completion_tokens: 1_050 }],
  ])('is asked to speak soon: %s', async (chatModels, expected) => {
    const { chat } = createModelRoles(settings({ ...key('openai'), ...key('groq'), chatModels }));
    await chat.complete({ ...request, maxTokens: 50 });
    expect(host.requests[0]!.body).toMatchObject(expected);
  });
});

describe('the test of a role', () => {
  it('says which abilities work', async () => {
    host.replyWith(({ body, messages }) => {
      if (body['tools']) return { toolCalls: [{ name: 'weather', arguments: { city: 'Oslo' } }] };
      return messages[0]!.text.includes('JSON') ? '```json\n{"ready": true}\n```' : 'Hello there.';
    });
    const { chat } = createModelRoles(settings(key('openai')));
    const [test] = await chat.test();
    expect(test!.checks.map(({ ability, problem }) => [ability, problem])).toEqual([
      ['stream', null],
      ['json', null],
      ['tool-call', null],
    ]);
    expect(test!.usage.promptTokens).toBeGreaterThan(0);
    host.replyWith(() => 'I would rather talk.');
    const [other] = await chat.test('openai:gpt-6.1-terra');
    expect(other!.checks.map(({ problem }) => problem === null)).toEqual([true, false, false]);
    expect(await chat.test('openai:another')).toEqual([]);
  });
});
