import type { MessageCreateParams } from '@anthropic-ai/sdk/resources/messages';

export type AnthropicThinking = Pick<MessageCreateParams, 'thinking' | 'output_config'> & {
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

export function thinkingOf(model: string): AnthropicThinking {
  return THINKING.find(([pattern]) => pattern.test(model))?.[1] ?? UNASKED;
}
