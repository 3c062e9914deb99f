import type { ModelCard } from './model-card.js';

/*
 * Catalogue of models as of 2026-11-22. A pattern stands for a line of models; the first that fits is taken. The
 * context that a host lists goes before it, and `MODEL_CARDS` before both. Prices are those of the line's own host.
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
const OPEN: ModelCard = {
  ...GPT_OSS,
  maxOutputTokens: 8_192,
  safetyMargin: 0.1,
  vocabulary: null,
};

/** Lines of models, the first that fits the name. */
export const MODEL_CARDS: readonly { pattern: RegExp; card: ModelCard }[] = [
  {
    pattern: /^gpt-[\d.]+-sol\b/,
    card: { ...OPENAI, price: { input: 2, output: 10, cachedInput: 0.2 } },
  },
  {
    pattern: /^gpt-[\d.]+-terra\b/,
    card: { ...OPENAI, price: { input: 1, output: 5, cachedInput: 0.1 } },
  },
  {
    pattern: /^gpt-[\d.]+-luna\b/,
    card: { ...OPENAI, price: { input: 0.1, output: 0.5, cachedInput: 0.01 } },
  },
  {
    pattern: /^(?:openai\/)?gpt-oss-120b/,
    card: { ...GPT_OSS, price: { input: 0.15, output: 0.6, cachedInput: 0.075 } },
  },
  {
    pattern: /^(?:openai\/)?gpt-oss-20b/,
    card: { ...GPT_OSS, price: { input: 0.075, output: 0.3, cachedInput: 0.0375 } },
  },
  { pattern: /^gpt-[5-9]/, card: OPENAI },
  { pattern: /^gpt-4\.1/, card: { ...OPENAI, contextTokens: 1_047_576, compactionRatio: 0.04 } },
  {
    pattern: /^gpt-4o/,
    card: { ...OPENAI, contextTokens: 128_000, maxOutputTokens: 16_384, compactionRatio: 0.25 },
  },
  {
    pattern: /^claude-opus-5-\d/,
    card: { ...CLAUDE_5, price: { input: 4, output: 20, cachedInput: 0.2 } },
  },
  {
    pattern: /^claude-opus-5/,
    card: { ...CLAUDE_5, price: { input: 5, output: 25, cachedInput: 0.5 } },
  },
  {
    pattern: /^claude-sonnet-5/,
    card: { ...CLAUDE_5, price: { input: 2, output: 10, cachedInput: 0.2 } },
  },
  // Of prompts up to 100,000 tokens; ours are shorter.
  { pattern: /^claude-haiku-5/, card: { ...CLAUDE_5, price: { input: 0.1, output: 0.5 } } },
  {
    pattern: /^claude-(?:fable|mythos)-5/,
    card: { ...CLAUDE_5, price: { input: 10, output: 50 } },
  },
  { pattern: /^claude-opus/, card: { ...ANTHROPIC, price: { input: 5, output: 25, cachedInput: 0.5 } } },
  { pattern: /^claude-sonnet/, card: { ...ANTHROPIC, price: { input: 3, output: 15, cachedInput: 0.3 } } },
  { pattern: /^claude-haiku/, card: { ...ANTHROPIC, price: { input: 1, output: 5, cachedInput: 0.1 } } },
  {
    pattern: /^gemini-[\d.]+-flash$/,
    card: { ...GEMINI, price: { input: 0.75, output: 3.75, cachedInput: 0.075 } },
  },
  { pattern: /^gemini-/, card: GEMINI },
  { pattern: /^deepseek(?:-ai\/|-chat|-reasoner)/, card: OPEN },
  { pattern: /^zai-org\/GLM-/, card: OPEN },
  // Hosts serve the smaller ones with the window they were trained in.
  { pattern: /^qwen\/qwen/i, card: { ...OPEN, contextTokens: 40_960, compactionRatio: 0.6 } },
  // Reads any length, by rules whose time grows with it: as much as an answer within its usual second allows.
  {
    pattern: /^rehearsal$/,
    card: { ...UNKNOWN_MODEL, maxOutputTokens: 8_192, price: { input: 0, output: 0 } },
  },
];
