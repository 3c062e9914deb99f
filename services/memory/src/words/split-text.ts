/** Characters of a memory: a thought or two. The vector of a longer text is like everything, and it fills a prompt. */
const MAX_MEMORY_CHARACTERS = 1_200;

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' });
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/** Cuts a text into parts of at most `maxCharacters`, between sentences where it can, never inside a character. */
export function splitText(text: string, maxCharacters = MAX_MEMORY_CHARACTERS): string[] {
  const trimmed = text.trim();
  if (trimmed.length <= maxCharacters) return trimmed ? [trimmed] : [];
  return pack(trimmed, sentences, maxCharacters, (sentence) =>
    pack(sentence, /(?<=\s)/, maxCharacters, (word) =>
      pack(word, graphemes, maxCharacters, (grapheme) =>
        // A letter under a thousand accents.
        pack(grapheme, /(?:)/u, maxCharacters, (character) => [character]),
      ),
    ),
  );
}

/** Fills parts piece by piece; a piece too long for any part is cut smaller. */
function pack(
  text: string,
  cut: Intl.Segmenter | RegExp,
  maxCharacters: number,
  cutSmaller: (piece: string) => string[],
): string[] {
  const pieces =
    cut instanceof RegExp ? text.split(cut) : Array.from(cut.segment(text), ({ segment }) => segment);
  const parts: string[] = [];
  let part = '';
  for (const piece of pieces) {
    // White space at the end is trimmed, so it always fits.
    const bare = piece.trimEnd().length;
    if (bare === 0 || part.length + bare <= maxCharacters) {
      part += piece;
      continue;
    }
    if (part.trim()) parts.push(part.trim());
    part = '';
    if (bare <= maxCharacters) part = piece;
    else parts.push(...cutSmaller(piece));
  }
  if (part.trim()) parts.push(part.trim());
  return parts;
}
