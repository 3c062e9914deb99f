import { describe, expect, it } from '@jest/globals';
import { emojiOf, hasEmoji } from './emoji.js';

describe('emoji', () => {
  it('are compared without what varies them', () => {
    expect(emojiOf('👋🏽 and 👋, ❤️ and ❤, 🤷🏽‍♀️ and 🤷')).toEqual(['👋', '❤', '🤷']);
  });

  it('that are joined are one, and found by their parts, which are not found by it', () => {
    expect(emojiOf('👩‍💻 👨‍👩‍👧')).toEqual(['👩💻', '👨👩👧']);
    expect(hasEmoji('I am a 👩🏽‍💻', emojiOf('👩'))).toBe(true);
    expect(hasEmoji('I am a 👩', emojiOf('👩‍💻'))).toBe(false);
  });

  it('of flags are told apart', () => {
    expect(emojiOf('🇯🇵🇩🇪')).toEqual(['🇯🇵', '🇩🇪']);
    expect(hasEmoji('Off to 🇩🇪', emojiOf('🇯🇵'))).toBe(false);
  });
});
