import { describe, expect, it } from '@jest/globals';
import { createModelRoles } from './model-roles.js';
import type { ModelSettings } from './model-settings.js';

const host = (apiKey?: string) => ({ baseUrl: 'http://localhost:1/v1', ...(apiKey ? { apiKey } : {}) });
const settings = (overrides: Partial<ModelSettings> = {}): ModelSettings => ({
  chatModels: '',
  fastModels: '',
  tryTimeoutMs: 1_000,
  firstTokenTimeoutMs: 1_000,
  budgetMs: 1_000,
  maxTries: 6,
  maxTokens: 1_000_000,
  chutes: host(),
  openai: host(),
  groq: host(),
  gemini: host(),
  compatible: {},
  ...overrides,
});

describe('createModelRoles', () => {
  it('rehearses when nothing is set up, and has no fast model', () => {
    const roles = createModelRoles(settings());
    expect(roles.chat.models).toEqual(['rehearsal']);
    expect(roles.fast).toBeNull();
  });

  it('takes the providers whose keys are set, Groq first for small jobs', () => {
    const roles = createModelRoles(settings({ gemini: host('a'), groq: host('b'), chutes: host('c') }));
    const providers = (models: string[] | undefined) => models?.map((model) => model.split(':')[0]);
    expect(providers(roles.chat.models)).toEqual(['chutes', 'groq', 'gemini']);
    expect(providers(roles.fast?.models)).toEqual(['groq', 'chutes', 'gemini']);
  });

  it('takes the listed models in their order, and never the rehearsal behind them', () => {
    const chatModels = 'compatible:llama3:8b, openai:gpt-x';
    const roles = createModelRoles(
      settings({ chatModels, openai: host('k'), compatible: { baseUrl: 'http://localhost:1/v1' } }),
    );
    expect(roles.chat.models).toEqual(['compatible:llama3:8b', 'openai:gpt-x']);
  });

  it('puts the rehearsal where the list does', () => {
    const roles = createModelRoles(settings({ chatModels: 'openai:gpt-x,rehearsal', openai: host('k') }));
    expect(roles.chat.models).toEqual(['openai:gpt-x', 'rehearsal']);
  });

  it('names every wrong setting at once', () => {
    const wrong = settings({ chatModels: 'opnai:gpt-x, openai:gpt-x, groq', fastModels: 'gemini:flash' });
    expect(() => createModelRoles(wrong)).toThrow(
      /CHAT_MODELS: "opnai:gpt-x" names no provider[^]*"openai:gpt-x" needs OPENAI_API_KEY[^]*"groq" names no model[^]*FAST_MODELS: "gemini:flash" needs GEMINI_API_KEY/,
    );
  });

  it('refuses by an error that a start knows as one of settings', () => {
    const make = () => createModelRoles(settings({ chatModels: 'groq' }));
    expect(make).toThrow(expect.objectContaining({ name: 'SettingsError' }));
  });

  it('refuses a host by the name of a provider, and a key of no host, and tells no key', () => {
    const compatible = { hosts: { openai: 'http://localhost:1/v1' }, keys: { lab: 'secret' } };
    const make = () => createModelRoles(settings({ compatible }));
    expect(make).toThrow(/COMPATIBLE_HOSTS: "openai" is the name[^]*COMPATIBLE_KEYS: "lab" is not in/);
    expect(make).not.toThrow(/secret/);
  });

  it('asks for the model of a host whose models it can not know', () => {
    const compatible = { baseUrl: 'http://localhost:1/v1' };
    expect(() => createModelRoles(settings({ compatible }))).toThrow(
      /CHAT_MODELS: COMPATIBLE_BASE_URL is set/,
    );
    expect(() => createModelRoles(settings({ compatible: { hosts: { lab: 'http://x/v1' } } }))).toThrow(
      /CHAT_MODELS: COMPATIBLE_HOSTS is set, so name its model, as lab:model/,
    );
  });
});
