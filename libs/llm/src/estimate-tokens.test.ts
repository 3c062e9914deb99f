import { describe, expect, it } from '@jest/globals';
import { estimateTokens } from './estimate-tokens.js';

describe('estimateTokens', () => {
  it('counts English at about four characters a token', () => {
    // 14 words, 73 characters: 16 tokens in the o200k vocabulary
    const text = 'My sister is called Ida and she lives near the harbour with her two cats.';
    expect(estimateTokens(text)).toBeGreaterThanOrEqual(15);
    expect(estimateTokens(text)).toBeLessThanOrEqual(21);
  });

  it('counts denser scripts higher', () => {
    expect(estimateTokens('猫が好きです')).toBe(6);
    expect(estimateTokens('Мне нравятся кошки')).toBeGreaterThan(estimateTokens('I really like cats'));
    expect(estimateTokens('🎉')).toBe(2);
  });

  it.each(['สวัสดีครับ', 'မင်္ဂလာပါ', 'សួស្តី', 'नमस्ते', 'ሰላም'])('counts about a token a character in %s', (text) => {
    expect(estimateTokens(text)).toBe(text.length);
  });

  it('is zero for nothing and takes a safety factor', () => {
    expect(estimateTokens('')).toBe(0);
    expect(estimateTokens('abcd'.repeat(100), { safetyFactor: 1.2 })).toBe(120);
  });

  it('reads the text of an object that lives on once, for each factor', () => {
    const line = { text: 'My sister is called Ida.' };
    const tokens = estimateTokens(line.text, { of: line });
    expect(estimateTokens(line.text)).toBe(tokens);
    expect(estimateTokens('', { of: line })).toBe(tokens);
    expect(estimateTokens('', { of: line, safetyFactor: 2 })).toBeGreaterThan(1.8 * tokens);
    expect(estimateTokens('', { of: {} })).toBe(0);
  });
});
