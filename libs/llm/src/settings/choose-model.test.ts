import { describe, expect, it } from '@jest/globals';
import type { OfferedModel } from '../provider.js';
import { chooseModel } from './choose-model.js';
import { PREFERENCES } from './model-families.js';

const NOW = Date.parse('2026-11-22T00:00:00Z');
const offer = (id: string, facts: Partial<OfferedModel> = {}): OfferedModel => ({
  id,
  createdAtMs: null,
  retiresOn: null,
  contextTokens: null,
  price: null,
  ...facts,
});
const choose = (host: keyof typeof PREFERENCES, role: 'chat' | 'fast', offered: OfferedModel[]) =>
  chooseModel(PREFERENCES[host][role].families, offered, NOW)?.id ?? null;

/** The hosts' lists of November 2026, as far as talk goes, and some of what stands between. */
const LISTS = {
  openai: [
    'gpt-4o',
    'gpt-4.1',
    'gpt-5-mini',
    'gpt-5.6-terra',
    'gpt-5.6-luna',
    'gpt-6-luna',
    'gpt-6-astra',
    'gpt-6.1-terra',
    'gpt-6.1-sol',
    'gpt-image-2.6-flare',
    'text-embedding-3-small',
    'gpt-realtime-mini',
  ],
  groq: [
    'groq/compound',
    'openai/gpt-oss-120b',
    'openai/gpt-oss-20b',
    'qwen/qwen3.6-27b',
    'whisper-large-v3',
  ],
  gemini: [
    'gemini-2.5-flash',
    'gemini-3.5-flash',
    'gemini-3.10-flash',
    'gemini-3.8-flash',
    'gemini-3.5-flash-lite',
    'gemini-3.8-flash-tts',
    'gemini-3.8-live',
    'gemini-embedding-2',
    'gemini-3.1-flash-image',
  ],
  chutes: [
    'deepseek-ai/DeepSeek-V3.2-TEE',
    'deepseek-ai/DeepSeek-V3.1',
    'deepseek-ai/DeepSeek-R1-0528-TEE',
    'openai/gpt-oss-120b-TEE',
    'zai-org/GLM-5-TEE',
    'Nagata99999/Affine-5CnxEmj5',
    'Qwen/Qwen3-Coder-Next-TEE',
  ],
} as const;

describe('chooseModel', () => {
  it.each([
    ['openai', 'chat', 'gpt-6.1-terra'],
    ['openai', 'fast', 'gpt-6-luna'],
    ['groq', 'chat', 'openai/gpt-oss-120b'],
    ['groq', 'fast', 'openai/gpt-oss-20b'],
    ['gemini', 'chat', 'gemini-3.10-flash'],
    ['gemini', 'fast', 'gemini-3.5-flash-lite'],
    ['chutes', 'chat', 'deepseek-ai/DeepSeek-V3.2-TEE'],
    ['chutes', 'fast', 'openai/gpt-oss-120b-TEE'],
  ] as const)('finds at %s for %s: %s', (host, role, expected) => {
    expect(
      choose(
        host,
        role,
        LISTS[host].map((id) => offer(id)),
      ),
    ).toBe(expected);
  });

  it('takes of one version the enclave’s, then the plain name before a dated one', () => {
    const ids = ['deepseek-ai/DeepSeek-V4.1-Flash-1017', 'deepseek-ai/DeepSeek-V4.1-Flash'];
    expect(
      choose(
        'chutes',
        'chat',
        ids.map((id) => offer(id)),
      ),
    ).toBe('deepseek-ai/DeepSeek-V4.1-Flash');
    const sealed = [...ids, 'deepseek-ai/DeepSeek-V4.1-Flash-1017-TEE'];
    expect(
      choose(
        'chutes',
        'chat',
        sealed.map((id) => offer(id)),
      ),
    ).toBe('deepseek-ai/DeepSeek-V4.1-Flash-1017-TEE');
  });

  it('does not begin with a model that ends within a fortnight, unless it is all there is', () => {
    const ending = offer('gpt-6.1-terra', { retiresOn: '2026-12-01' });
    expect(choose('openai', 'chat', [ending, offer('gpt-5.6-terra')])).toBe('gpt-5.6-terra');
    expect(choose('openai', 'chat', [ending])).toBe('gpt-6.1-terra');
  });

  it('passes over what is too dear, or holds too little', () => {
    const dear = offer('gpt-7-terra', { price: { input: 10, output: 50 } });
    const small = offer('gpt-6.9-terra', { contextTokens: 4_096 });
    expect(choose('openai', 'chat', [dear, small, offer('gpt-6.1-terra')])).toBe('gpt-6.1-terra');
  });

  it('takes the newest model for talk where no family fits, and none where nothing talks', () => {
    const strange = [
      offer('acme/talk-1', { createdAtMs: 1 }),
      offer('acme/talk-2', { createdAtMs: 2 }),
      offer('acme/whisper-9', { createdAtMs: 9 }),
    ];
    expect(choose('groq', 'chat', strange)).toBe('acme/talk-2');
    expect(choose('groq', 'chat', [offer('acme/whisper-9')])).toBeNull();
  });
});
