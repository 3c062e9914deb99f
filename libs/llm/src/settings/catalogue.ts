import type { ModelProvider } from '../provider.js';
import { anthropicProvider } from '../providers/anthropic-provider.js';
import { geminiProvider } from '../providers/gemini-provider.js';
import { groqProvider } from '../providers/groq-provider.js';
import { ollamaProvider } from '../providers/ollama-provider.js';
import { openAiCompatibleProvider } from '../providers/openai-compatible-provider.js';
import { openAiResponsesProvider } from '../providers/openai-responses-provider.js';
import { rehearsalProvider } from '../providers/rehearsal-provider.js';
import type { HostName } from './model-families.js';
import { ModelSettings } from './model-settings.js';

/** A provider as the settings know it. */
export interface CatalogueEntry {
  name: string;
  /** The setting without which it can't be used, named in errors; null when there is none. */
  needs: string | null;
  /** Host of `model-families.ts` by which its models are chosen where none is named; null where one must be named. */
  defaultsOf: HostName | null;
  /** Null when what it needs is not set. */
  open: (settings: ModelSettings) => ModelProvider | null;
}

/** Context that a small machine can hold beside the weights; the prompt's usual 6,000 tokens and an answer fit. */
const OLLAMA_CONTEXT_TOKENS = 8_192;

/** Every provider, in the order in which they are preferred for chat. A new one is a file and a line here. */
export const CATALOGUE: readonly CatalogueEntry[] = [
  keyed('chutes', (host) =>
    openAiCompatibleProvider({ ...host, maxTokensField: 'max_tokens', jsonMode: true }),
  ),
  keyed('openai', (host, { openai }) =>
    openai.api === 'responses'
      ? openAiResponsesProvider(host)
      : openAiCompatibleProvider({ ...host, maxTokensField: 'max_completion_tokens', jsonMode: true }),
  ),
  keyed('anthropic', anthropicProvider),
  keyed('groq', groqProvider),
  keyed('gemini', geminiProvider),
  {
    name: 'ollama',
    needs: 'OLLAMA_BASE_URL',
    defaultsOf: 'ollama',
    open: ({ ollama }) =>
      ollama?.baseUrl
        ? ollamaProvider({
            baseUrl: ollama.baseUrl,
            apiKey: ollama.apiKey,
            contextTokens: ollama.contextTokens ?? OLLAMA_CONTEXT_TOKENS,
          })
        : null,
  },
  {
    name: 'compatible',
    needs: 'COMPATIBLE_BASE_URL',
    defaultsOf: null, // no model is the same on every such host
    open: ({ compatible: { apiKey, baseUrl } }) =>
      baseUrl ? compatibleProvider('compatible', baseUrl, apiKey) : null,
  },
  { name: 'rehearsal', needs: null, defaultsOf: null, open: () => rehearsalProvider() },
];

/** Makes the entry of a host that needs a key and no more. */
function keyed(
  name: Exclude<HostName, 'ollama'>,
  open: (host: { name: string; apiKey: string; baseUrl: string }, settings: ModelSettings) => ModelProvider,
): CatalogueEntry {
  return {
    name,
    needs: `${name.toUpperCase()}_API_KEY`,
    defaultsOf: name,
    open: (settings) => {
      const host = settings[name];
      return host?.apiKey ? open({ name, apiKey: host.apiKey, baseUrl: host.baseUrl }, settings) : null;
    },
  };
}

/** Every provider that these settings can name: those of the catalogue, and the hosts that the operator named. */
export function catalogueOf({ compatible: { hosts = {}, keys = {} } }: ModelSettings): CatalogueEntry[] {
  const named = Object.entries(hosts).map(([name, baseUrl]): CatalogueEntry => ({
    name,
    needs: 'COMPATIBLE_HOSTS',
    defaultsOf: null,
    open: () => compatibleProvider(name, baseUrl, keys[name]),
  }));
  return [...CATALOGUE, ...named];
}

/** A host of which nothing is known but that it speaks OpenAI's chat completions. */
function compatibleProvider(name: string, baseUrl: string, apiKey: string | undefined): ModelProvider {
  return openAiCompatibleProvider({ name, baseUrl, apiKey, maxTokensField: 'max_tokens', jsonMode: false });
}

/** Finds names in `COMPATIBLE_HOSTS` and `COMPATIBLE_KEYS` that can not be meant. Shows no key. */
export function checkNamedHosts({ compatible: { hosts = {}, keys = {} } }: ModelSettings): string[] {
  const taken = new Set(CATALOGUE.map(({ name }) => name));
  const clashes = Object.keys(hosts).filter((name) => taken.has(name));
  const idle = Object.keys(keys).filter((name) => !Object.hasOwn(hosts, name));
  return [
    ...clashes.map(
      (name) => `COMPATIBLE_HOSTS: "${name}" is the name of a provider; call the host something else`,
    ),
    ...idle.map((name) => `COMPATIBLE_KEYS: "${name}" is not in COMPATIBLE_HOSTS`),
  ];
}

/** A host that the settings give access to. */
export interface ModelHost extends Pick<CatalogueEntry, 'name' | 'defaultsOf'> {
  provider: ModelProvider;
}

/** Every host that is set up. */
export function openHosts(settings: ModelSettings): ModelHost[] {
  const parsed = ModelSettings.parse(settings);
  return catalogueOf(parsed).flatMap(({ name, needs, defaultsOf, open }): ModelHost[] => {
    const provider = needs === null ? null : open(parsed);
    return provider ? [{ name, provider, defaultsOf }] : [];
  });
}
