import type { ModelProvider } from '../message.js';
import { GeminiModel } from '../providers/gemini.js';
import { GroqModel } from '../providers/groq.js';
import { OpenAiCompatible } from '../providers/openai-compatible.js';
import { Rehearsal } from '../providers/rehearsal.js';
import { ModelRole, type RoleLimits } from './model-role.js';

interface Host {
  apiKey?: string | undefined;
  baseUrl?: string | undefined;
}

/** The models' settings, as a service read them. */
export interface ModelSettings extends RoleLimits {
  /** `provider:model`, comma-separated, in order of preference; empty: by the keys that are set. */
  chatModels: string;
  fastModels: string;
  chutes: Host;
  openai: Host;
  groq: Host;
  gemini: Host;
  compatible: Host;
}

export interface ModelRoles {
  /** Speaks with people. Never empty: without any key it is the rehearsal. */
  chat: ModelRole;
  /** Small jobs (appraisal, extraction); null where none is set, and callers then go by rules. */
  fast: ModelRole | null;
}

type Maker = (model: string, host: { apiKey: string; baseUrl: string }) => ModelProvider;
type HostName = 'chutes' | 'openai' | 'groq' | 'gemini' | 'compatible';

/** A new provider is one file and one line here. */
const PROVIDERS: Record<HostName, { make: Maker; chat: string | null; fast: string | null }> = {
  chutes: {
    make: (model, host) => new OpenAiCompatible('chutes', model, host),
    chat: 'deepseek-ai/DeepSeek-V3-0324',
    fast: null,
  },
  openai: {
    make: (model, host) => new OpenAiCompatible('openai', model, host),
    chat: 'gpt-4.1-mini',
    fast: 'gpt-4.1-nano',
  },
  groq: {
    make: (model, host) => new GroqModel(model, host),
    chat: 'llama-3.3-70b-versatile',
    fast: 'llama-3.1-8b-instant',
  },
  gemini: {
    make: (model, host) => new GeminiModel(model, host),
    chat: 'gemini-2.5-flash',
    fast: 'gemini-2.5-flash-lite',
  },
  compatible: {
    make: (model, host) => new OpenAiCompatible('compatible', model, host),
    chat: null,
    fast: null,
  },
};
const CHAT_ORDER: HostName[] = ['chutes', 'openai', 'groq', 'gemini'];
const FAST_ORDER: HostName[] = ['groq', 'gemini', 'openai'];

/**
 * The roles that these settings make. The rehearsal answers only where no chat model is set at all: it never
 * stands in silently for one that failed.
 * @throws Error that names the setting, for an unknown provider or a key that is missing
 */
export function createModelRoles(settings: ModelSettings): ModelRoles {
  const chat = chainOf('CHAT_MODELS', settings.chatModels, settings, CHAT_ORDER, 'chat');
  const fast = chainOf('FAST_MODELS', settings.fastModels, settings, FAST_ORDER, 'fast');
  return {
    chat: new ModelRole(chat.length ? chat : [new Rehearsal()], settings),
    fast: fast.length ? new ModelRole(fast, settings) : null,
  };
}

function chainOf(
  variable: string,
  list: string,
  settings: ModelSettings,
  order: readonly HostName[],
  role: 'chat' | 'fast',
): ModelProvider[] {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  if (entries.length === 0) {
    return order.flatMap((name) => {
      const model = PROVIDERS[name][role];
      const { apiKey, baseUrl } = settings[name];
      return apiKey && baseUrl && model ? [PROVIDERS[name].make(model, { apiKey, baseUrl })] : [];
    });
  }
  return entries.map((entry) => {
    if (entry === 'rehearsal') return new Rehearsal();
    const [name = '', ...rest] = entry.split(':');
    const model = rest.join(':');
    if (!(name in PROVIDERS) || !model) {
      throw new Error(
        `${variable}: "${entry}" is not provider:model; providers are ${Object.keys(PROVIDERS).join(', ')}`,
      );
    }
    const host = settings[name as HostName];
    // A host of one's own often asks for no key; every other does.
    const apiKey = host.apiKey ?? (name === 'compatible' ? 'none' : undefined);
    if (!apiKey) throw new Error(`${variable} names ${name}, so ${name.toUpperCase()}_API_KEY must be set`);
    if (!host.baseUrl)
      throw new Error(`${variable} names ${name}, so ${name.toUpperCase()}_BASE_URL must be set`);
    return PROVIDERS[name as HostName].make(model, { apiKey, baseUrl: host.baseUrl });
  });
}
