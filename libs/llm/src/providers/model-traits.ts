/** Parameters of a reply that a person waits for. */
export interface ModelTraits {
  /** Sent as `reasoning_effort`; null: the model has no such parameter. */
  reasoningEffort: 'none' | 'low' | null;
  /** Tokens added to an answer's limit, because the model's hidden reasoning counts against it. */
  extraTokens: number;
}

/**
 * Models that reason before they speak, by the names their makers give them. Left to their defaults they think for
 * seconds, and may use up an answer's whole limit without a word. Looked up on 2026-11-22 in OpenAI's, Groq's and
 * Google's model pages. The first pattern that fits counts.
 */
const TRAITS: readonly (readonly [RegExp, ModelTraits])[] = [
  // From 5.1 on OpenAI's models can be told not to reason at all.
  [/^gpt-(?:5\.[1-9]|[6-9]|\d\d)/, { reasoningEffort: 'none', extraTokens: 0 }],
  [/^gpt-5(?:-|$)/, { reasoningEffort: 'low', extraTokens: 1_000 }],
  [/^o[1-9]/, { reasoningEffort: 'low', extraTokens: 2_000 }],
  // The open models know low, medium and high; low takes some hundred tokens.
  [/^openai\/gpt-oss/, { reasoningEffort: 'low', extraTokens: 1_000 }],
  [/^gemini-(?:[3-9]|\d\d)/, { reasoningEffort: 'low', extraTokens: 1_000 }],
];

const PLAIN: ModelTraits = { reasoningEffort: null, extraTokens: 0 };

export function traitsOf(model: string): ModelTraits {
  return TRAITS.find(([pattern]) => pattern.test(model))?.[1] ?? PLAIN;
}
