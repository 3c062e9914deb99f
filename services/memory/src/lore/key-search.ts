/** Characters of a text that are searched, in the form in which they are compared. Some grow 18-fold on the way there. */
const MAX_CHARACTERS = 100_000;
/** Places that are compared with a key, for one text: many times what the largest honest book takes. */
const MAX_COMPARED = 200_000;
/** Characters of keys that are looked up in one text: 2,000 entries with fifty keys of ten characters each. */
const MAX_KEY_CHARACTERS = 1_000_000;

/** Scripts without spaces have no word ends to look for. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\u{20000}-\u{3ffff}]/u;
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const LETTER = /[\p{L}\p{N}\p{M}]/u;

/** Places of each word of a text, or of each pair of its characters. */
type Places = ReadonlyMap<string, readonly number[]>;

/** Ways in which a key is looked for. */
interface KeyRules {
  caseSensitive: boolean;
  /** Otherwise it may stand within a word. */
  wholeWords: boolean;
}

/**
 * Finds keys in a text. A key is compared only where its rarest word stands, or its rarest two characters where it has no
 * words or may stand within one, so that the time does not grow with all keys times all of the text.
 */
export class KeySearch {
  private readonly exact: SearchedText;
  private readonly folded: SearchedText;
  private keyCharacters = 0;

  constructor(texts: readonly string[]) {
    const said = texts.join('\n').slice(0, MAX_CHARACTERS).normalize('NFKC').slice(0, MAX_CHARACTERS);
    this.exact = new SearchedText(said);
    this.folded = new SearchedText(said.toLowerCase());
  }

  has(key: string, { caseSensitive, wholeWords }: KeyRules): boolean {
    if (this.keyCharacters >= MAX_KEY_CHARACTERS) return false;
    const exact = key.normalize('NFKC');
    this.keyCharacters += exact.length;
    return caseSensitive
      ? this.exact.has(exact, wholeWords)
      : this.folded.has(exact.toLowerCase(), wholeWords);
  }
}

/** Text with what it takes to look keys up in it. */
class SearchedText {
  private words: Places | undefined;
  private pairs: Places | undefined;
  private compared = 0;

  constructor(private readonly text: string) {}

  has(key: string, wholeWords: boolean): boolean {
    const words = !wholeWords || UNSPACED.test(key) ? [] : [...key.matchAll(WORD)];
    const asWords = words.length > 0;
    const parts = asWords ? words.map((word) => [word[0], word.index] as const) : pairsIn(key);
    const known = asWords ? (this.words ??= wordsOf(this.text)) : (this.pairs ??= pairsOf(this.text));
    let rarest: readonly number[] | undefined;
    let offset = 0;
    for (const [part, index] of parts) {
      const places = known.get(part);
      if (!places) return false;
      if (rarest && rarest.length <= places.length) continue;
      rarest = places;
      offset = index;
    }
    return this.isAtAny(rarest, offset, key, asWords);
  }

  /** Tells whether a key stands at one of these places, which are so far into it. */
  private isAtAny(places: readonly number[] = [], offset: number, key: string, asWords: boolean): boolean {
    for (const place of places) {
      if (this.compared >= MAX_COMPARED) return false;
      this.compared += 1;
      const at = place - offset;
      if (at < 0 || !this.text.startsWith(key, at)) continue;
      if (!asWords || (this.isEdge(at) && this.isEdge(at + key.length))) return true;
    }
    return false;
  }

  /** Tells whether no word goes on across a place. */
  private isEdge(at: number): boolean {
    return !LETTER.test(this.text.charAt(at - 1)) || !LETTER.test(this.text.charAt(at));
  }
}

function wordsOf(text: string): Places {
  const places = new Map<string, number[]>();
  for (const { 0: word, index } of text.matchAll(WORD)) note(places, word, index);
  return places;
}

/** Lists the pairs of characters of a key, with their places in it; its one character, where it has no more. */
function pairsIn(key: string): (readonly [string, number])[] {
  return Array.from({ length: Math.max(1, key.length - 1) }, (_, at) => [key.slice(at, at + 2), at] as const);
}

/** Finds where each pair of characters stands, and one place of each character. */
function pairsOf(text: string): Places {
  const places = new Map<string, number[]>();
  for (let at = 0; at < text.length; at += 1) {
    if (!places.has(text.charAt(at))) note(places, text.charAt(at), at);
    note(places, text.slice(at, at + 2), at);
  }
  return places;
}

function note(places: Map<string, number[]>, part: string, at: number): void {
  const known = places.get(part);
  if (known) known.push(at);
  else places.set(part, [at]);
}
