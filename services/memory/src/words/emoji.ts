/** Emoji: a flag, or a sign, with those that it is joined to. */
const EMOJI =
  /\p{Regional_Indicator}{2}|\p{Extended_Pictographic}[\p{Emoji_Modifier}\p{Variation_Selector}]*(?:\u200d\p{Extended_Pictographic}[\p{Emoji_Modifier}\p{Variation_Selector}]*)*/gu;

/**
 * Pattern of what varies an emoji: joined signs of a gender, joiners, looks and skin tones. Emoji are compared without, so
 * that a waving hand is found in whatever colour.
 */
const VARIATIONS = /\u200d[♀♂]|\u200d|[\p{Emoji_Modifier}\p{Variation_Selector}]/gu;
/** Pattern of the same for Postgres. */
export const EMOJI_VARIATIONS = String.raw`\u200d[♀♂]|[\u200d\ufe00-\ufe0f\U0001f3fb-\U0001f3ff]`;

/** Lists the emoji of a text, folded, each once. */
export function emojiOf(text: string): string[] {
  return [...new Set((text.match(EMOJI) ?? []).map(foldEmoji))];
}

/** Tells whether a text has one of these folded emoji, by itself or as a part of another. */
export function hasEmoji(text: string, emoji: readonly string[]): boolean {
  const folded = foldEmoji(text);
  return emoji.some((sign) => folded.includes(sign));
}

function foldEmoji(text: string): string {
  return text.replaceAll(VARIATIONS, '');
}
