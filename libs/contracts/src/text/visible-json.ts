/** Characters that cannot be seen, or that reorder others. A Hangul filler is a letter, and the blank of Braille a sign. */
const HIDING = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * Writes a value as JSON in which every character can be seen, so that nobody allows what they have not read, and nothing
 * steers a terminal: what hides is escaped, and the value stays the same.
 */
export function visibleJson(value: unknown, indent?: number): string {
  return visibleText(JSON.stringify(value, null, indent));
}

/** Escapes what hides in a text, as JSON would. Line breaks and tabs are seen by where the next character stands. */
export function visibleText(text: string): string {
  return text.replaceAll(HIDING, (character) =>
    /[\n\t]/.test(character) ? character : character.split('').map(escapeOf).join(''),
  );
}

function escapeOf(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
