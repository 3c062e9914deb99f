const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

/**
 * Cuts a word into parts of at most `maxCharacters`. Does not look at each of its characters, of which it may have a
 * hundred thousand.
 */
export function cutWord(word: string, maxCharacters: number): string[] {
  const characters = graphemes.segment(word);
  const parts: string[] = [];
  let from = 0;
  while (from < word.length) {
    const most = from + maxCharacters;
    let to = characters.containing(most)?.index ?? word.length;
    // A letter under a thousand accents is cut, but no pair of surrogates.
    if (to <= from) to = (word.codePointAt(most - 1) ?? 0) > 0xffff ? most - 1 : most;
    parts.push(word.slice(from, to));
    from = to;
  }
  return parts;
}
