import type { ModelRoleName } from '@kith/contracts';

/*
 * Models of each host that do a role's work when its settings name none. Looked up on 2026-11-22 in the hosts' model
 * and deprecation pages. Models come and go within months, so a family is a pattern, and the newest model of it that
 * the host lists is taken. A name is here only to be asked for while a host's list can't be read.
 */

/**
 * Pattern of the models of one line. Fits a whole name. Its group `version` is compared number by number: the highest is
 * taken.
 */
export type ModelFamily = RegExp;

/** A host's families for a role, best first. */
interface ModelPreference {
  families: readonly ModelFamily[];
  /** Asked while the host does not list its models. */
  lastKnown: string;
}

/** Chutes marks models that run in an enclave, where its own machines cannot read along, with -TEE. */
const CHUTES_DEEPSEEK = /^deepseek-ai\/DeepSeek-V(?<version>[\d.]+)(?:-Flash)?(?:-\d{4})?(?:-TEE)?$/;
const CHUTES_GLM = /^zai-org\/GLM-(?<version>[\d.]+)(?:-FP8)?(?:-TEE)?$/;
const CHUTES_QWEN = /^Qwen\/Qwen(?<version>[\d.]+)-(?:\d+B-A\d+B|\d+B)(?:-Instruct)?(?:-\d{4})?(?:-TEE)?$/;
const GPT_OSS_120 = /^openai\/gpt-oss-120b(?:-TEE)?$/;
const GPT_OSS_20 = /^openai\/gpt-oss-20b(?:-TEE)?$/;
const GROQ_QWEN = /^qwen\/qwen-?(?<version>[\d.]+)-\d+b$/;

// OpenAI's tiers of 2026, from dear to cheap: astra, sol, terra, luna; before 5.6: none, mini, nano.
const TERRA = /^gpt-(?<version>[\d.]+)-terra$/;
const LUNA = /^gpt-(?<version>[\d.]+)-luna$/;
const SOL = /^gpt-(?<version>[\d.]+)-sol$/;
const MINI = /^gpt-(?<version>[\d.]+)-mini$/;
const NANO = /^gpt-(?<version>[\d.]+)-nano$/;

// Claude's lines that a companion can be run on; opus and fable cost several times as much.
const SONNET = /^claude-sonnet-(?<version>\d+(?:-\d{1,2})?)$/;
const HAIKU = /^claude-haiku-(?<version>\d+(?:-\d{1,2})?)$/;

// What an Ollama holds was put there by its owner; of several, lines that talk well for their size.
const OLLAMA_QWEN = /^qwen(?<version>[\d.]+)(?::[\w.-]+)?$/;
const OLLAMA_GEMMA = /^gemma(?<version>[\d.]+)(?::[\w.-]+)?$/;
const OLLAMA_LLAMA = /^llama(?<version>[\d.]+)(?::[\w.-]+)?$/;
const OLLAMA_MODELS = [OLLAMA_QWEN, OLLAMA_GEMMA, OLLAMA_LLAMA];

const FLASH = /^gemini-(?<version>[\d.]+)-flash$/;
const FLASH_LITE = /^gemini-(?<version>[\d.]+)-flash-lite$/;
const FLASH_PREVIEW = /^gemini-(?<version>[\d.]+)-flash(?:-lite)?-preview$/;

/** Hosts whose models are chosen by default, each with its families. */
export const PREFERENCES = {
  chutes: {
    chat: {
      families: [CHUTES_DEEPSEEK, CHUTES_GLM, CHUTES_QWEN, GPT_OSS_120],
      lastKnown: 'deepseek-ai/DeepSeek-V3.2-TEE',
    },
    fast: {
      families: [GPT_OSS_20, GPT_OSS_120, CHUTES_QWEN, CHUTES_DEEPSEEK, CHUTES_GLM],
      lastKnown: 'openai/gpt-oss-120b-TEE',
    },
  },
  openai: {
    chat: { families: [TERRA, SOL, MINI, LUNA, NANO], lastKnown: 'gpt-6.1-terra' },
    fast: { families: [LUNA, NANO, MINI, TERRA], lastKnown: 'gpt-6-luna' },
  },
  anthropic: {
    chat: { families: [SONNET, HAIKU], lastKnown: 'claude-sonnet-5-5' },
    fast: { families: [HAIKU, SONNET], lastKnown: 'claude-haiku-5-5' },
  },
  groq: {
    chat: { families: [GPT_OSS_120, GROQ_QWEN, GPT_OSS_20], lastKnown: 'openai/gpt-oss-120b' },
    fast: { families: [GPT_OSS_20, GROQ_QWEN, GPT_OSS_120], lastKnown: 'openai/gpt-oss-20b' },
  },
  gemini: {
    chat: { families: [FLASH, FLASH_LITE, FLASH_PREVIEW], lastKnown: 'gemini-3.8-flash' },
    fast: { families: [FLASH_LITE, FLASH, FLASH_PREVIEW], lastKnown: 'gemini-3.5-flash-lite' },
  },
  ollama: {
    chat: { families: OLLAMA_MODELS, lastKnown: 'llama3.2' },
    fast: { families: OLLAMA_MODELS, lastKnown: 'llama3.2' },
  },
} satisfies Readonly<Record<string, Readonly<Record<ModelRoleName, ModelPreference>>>>;

export type HostName = keyof typeof PREFERENCES;
