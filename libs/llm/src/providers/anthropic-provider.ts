import type { MessageCreateParams, MessageCreateParamsStreaming } from '@anthropic-ai/sdk/resources/messages';
import type { ModelProvider, OfferedModel } from '../provider.js';
import { eventFetch } from './host-fetch.js';
import { hostProvider } from './host-provider.js';
import { readAnthropic } from './read-anthropic.js';
import { RefusedParameters } from './refused-parameters.js';
import { renderAnthropic } from './render-anthropic.js';

/** The API wants a limit. Longer than any reply a door shows, and within what its oldest model can write. */
const DEFAULT_MAX_TOKENS = 4_096;
/** Anthropic's scale of temperatures ends where others are half-way. */
const HOTTEST = 1;
/** All models in one answer: the API lists at most a thousand a page, and offers some twenty. */
const LIST_PAGE = 1_000;

/** Anthropic's Claude over `POST /v1/messages`. Its newer models refuse a temperature, and are asked without one then. */
export function anthropicProvider({ apiKey, baseUrl }: { apiKey: string; baseUrl: string }): ModelProvider {
  const refused = new RefusedParameters(['temperature', 'thinking', 'output_config']);
  return hostProvider({
    name: 'anthropic',
    opening: import('@anthropic-ai/sdk').then(
      ({ Anthropic }) =>
        new Anthropic({
          apiKey,
          authToken: null, // the SDK would read it from the environment
          baseURL: baseUrl.replace(/\/v1\/?$/, ''), // it adds that itself
          maxRetries: 0, // ours are counted and bounded together
          logLevel: 'off', // the SDK would print chunks that it can't parse
          fetch: eventFetch,
        }),
    ),
    async list(client, signal) {
      const offered: OfferedModel[] = [];
      for await (const model of client.models.list({ limit: LIST_PAGE }, { signal })) {
        if (model.lifecycle === 'retired') continue;
        const { id, created_at, retires_at, max_input_tokens } = model;
        offered.push({
          id,
          createdAtMs: Date.parse(created_at) || null,
          retiresOn: retires_at?.slice(0, 10) ?? null,
          contextTokens: max_input_tokens ?? null,
          price: null,
        });
      }
      return offered;
    },
    send(client, { model, messages, tools, maxTokens = DEFAULT_MAX_TOKENS, temperature, signal }, origin) {
      const { extraTokens, ...thinking } = THINKING.find(([pattern]) => pattern.test(model))?.[1] ?? UNASKED;
      const body: MessageCreateParamsStreaming = {
        model,
        max_tokens: maxTokens + extraTokens,
        ...renderAnthropic(messages, tools, origin),
        ...(temperature === undefined ? {} : { temperature: Math.min(temperature, HOTTEST) }),
        ...thinking,
        stream: true,
      };
      return refused.send(model, body, (allowed) => client.messages.create(allowed, { signal }));
    },
    read: readAnthropic,
  });
}

type AnthropicThinking = Pick<MessageCreateParams, 'thinking' | 'output_config'> & {
  /** Tokens added to an answer's limit, because thinking counts against it. */
  extraTokens: number;
};

/**
 * Least thinking that a model can be asked for: somebody waits for its words. From Sonnet 5 on Claude thinks unless it
 * is told otherwise, and each line is told in its own way. Looked up on 2026-11-22 in Anthropic's pages on each model.
 * The first pattern that fits counts.
 */
const THINKING: readonly (readonly [RegExp, AnthropicThinking])[] = [
  [/^claude-(?:sonnet|opus)-5(?:-\d{8})?$/, { thinking: { type: 'disabled' }, extraTokens: 0 }],
  // It still thinks between tools, a few sentences.
  [/^claude-sonnet-5-\d/, { thinking: { type: 'between_tools' }, extraTokens: 500 }],
  // These can't be told not to: low effort takes some hundred tokens.
  [/^claude-[a-z]+-(?:[5-9]|\d\d)(?:-|$)/, { output_config: { effort: 'low' }, extraTokens: 1_500 }],
];

/** Models before the fifth generation think only when asked to. */
const UNASKED: AnthropicThinking = { extraTokens: 0 };
