import type { ModelCard } from './model-card.js';

/*
 * Catalogue of models as of 2026-11-22. A pattern stands for a line of models; the first that fits is taken. The
 * context and the price that a host lists go before it, and `MODEL_CARDS` before both. Prices are those of the line's
 * own host.
 *
 * Compaction ratios fall as contexts grow: past some 40,000 tokens a chat gets dearer and slower with each turn, and
 * models overlook what stands in the middle, so most of a large window is left empty on purpose.
 */

/** An unknown model, taken for a small local one, which refuses anything longer than its window. */
export const UNKNOWN_MODEL: ModelCard = {
  contextTokens: 8_192,
  maxOutputTokens: 2_048,
  compactionRatio: 0.72,
  safetyMargin: 0.1,
  price: null,
  images: false,
  tools: false,
  vocabulary: null,
};

const OPENAI: ModelCard = {
  contextTokens: 400_000,
  maxOutputTokens: 128_000,
  compactionRatio: 0.1,
  safetyMargin: 0.05,
  price: null,
  images: true,
  tools: true,
  vocabulary: 'o200k',
};

const GPT_OSS: ModelCard = {
  ...OPENAI,
  contextTokens: 131_072,
  maxOutputTokens: 32_768,
  compactionRatio: 0.25,
  images: false,
};

const ANTHROPIC: ModelCard = {
  ...OPENAI,
  contextTokens: 200_000,
  maxOutputTokens: 64_000,
  compactionRatio: 0.2,
  safetyMargin: 0.1, // its own tokenizer counts up to a third more than the estimate
  vocabulary: null,
};

/** From the fifth generation on. */
const CLAUDE_5: ModelCard = {
  ...ANTHROPIC,
  contextTokens: 1_000_000,
  maxOutputTokens: 128_000,
  compactionRatio: 0.04,
  safetyMargin: 0.02, // of a million: its tokenizer counts up to 30 % more than the fourth's
};

const GEMINI: ModelCard = {
  ...OPENAI,
  contextTokens: 1_048_576,
  maxOutputTokens: 65_536,
  compactionRatio: 0.04,
  vocabulary: null,
};

/** Open models at hosts that serve them whole. */
const OPEN: ModelCard = { ...GPT_OSS, maxOutputTokens: 8_192, safetyMargin: 0.1, vocabulary: null };

/** Lines of models, the first that fits the name. */
export const MODEL_CARDS: readonly (readonly [pattern: RegExp, card: ModelCard])[] = [
  [/^gpt-[\d.]+-sol\b/, priced(OPENAI, 2, 10)],
  [/^gpt-[\d.]+-terra\b/, priced(OPENAI, 1, 5)],
  [/^gpt-[\d.]+-luna\b/, priced(OPENAI, 0.1, 0.5)],
  [/^(?:openai\/)?gpt-oss-120b/, priced(GPT_OSS, 0.15, 0.6)],
  [/^(?:openai\/)?gpt-oss-20b/, priced(GPT_OSS, 0.075, 0.3)],
  [/^gpt-[5-9]/, OPENAI],
  [/^gpt-4\.1/, { ...OPENAI, contextTokens: 1_047_576, compactionRatio: 0.04 }],
  [/^gpt-4o/, { ...OPENAI, contextTokens: 128_000, maxOutputTokens: 16_384, compactionRatio: 0.25 }],
  [/^claude-opus-5-\d/, priced(CLAUDE_5, 4, 20)],
  [/^claude-opus-5/, priced(CLAUDE_5, 5, 25)],
  [/^claude-sonnet-5/, priced(CLAUDE_5, 2, 10)],
  // Of prompts up to 100,000 tokens; ours are shorter.
  [/^claude-haiku-5/, priced(CLAUDE_5, 0.1, 0.5)],
  [/^claude-(?:fable|mythos)-5/, priced(CLAUDE_5, 10, 50)],
  [/^claude-opus/, priced(ANTHROPIC, 5, 25)],
  [/^claude-sonnet/, priced(ANTHROPIC, 3, 15)],
  [/^claude-haiku/, priced(ANTHROPIC, 1, 5)],
  [/^gemini-[\d.]+-flash$/, priced(GEMINI, 0.75, 3.75)],
  [/^gemini-/, GEMINI],
  [/^deepseek(?:-ai\/|-chat|-reasoner)/, OPEN],
  [/^zai-org\/GLM-/, OPEN],
  // Hosts serve the smaller ones with the window they were trained in.
  [/^qwen\/qwen/i, { ...OPEN, contextTokens: 40_960, compactionRatio: 0.6 }],
  // Reads any length, by rules whose time grows with it: as much as an answer within its usual second allows.
  [/^rehearsal$/, { ...UNKNOWN_MODEL, maxOutputTokens: 8_192, price: { input: 0, output: 0 } }],
];

/** Gives a card its price: US dollars for a million tokens of prompts, and of answers. */
function priced(card: ModelCard, input: number, output: number): ModelCard {
  return { ...card, price: { input, output } };
}
