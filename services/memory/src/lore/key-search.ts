import { PairPlaces } from './pair-places.js';

/** Characters of a text that are searched, in the form in which they are compared. Some grow 18-fold on the way there. */
const MAX_CHARACTERS = 100_000;
/** Places that are compared with a key, for one text: many times what the largest honest book takes. */
const MAX_COMPARED = 200_000;
/** Characters of keys that are looked up in one text: 2,000 entries with fifty keys of ten characters each. */
const MAX_KEY_CHARACTERS = 1_000_000;

/** Scripts without spaces have no word ends to look for. */
const UNSPACED = /[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\ud7ff\u{20000}-\u{3ffff}]/u;
/** Letter of a script with spaces: beside one of the others its word ends. */
const LETTER = new RegExp(String.raw`(?!${UNSPACED.source})[\p{L}\p{N}\p{M}]`, 'u');
const WORD = new RegExp(`(?:${LETTER.source})+`, 'gu');
/** Mark between texts, which stands in no key: none is found half in one and half in the next. */
const BETWEEN = '\0';

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
    const said = compared(texts.join(BETWEEN).slice(0, MAX_CHARACTERS)).slice(0, MAX_CHARACTERS);
    this.exact = new SearchedText(said);
    this.folded = new SearchedText(said.toLowerCase());
  }

  has(key: string, { caseSensitive, wholeWords }: KeyRules): boolean {
    if (this.keyCharacters >= MAX_KEY_CHARACTERS) return false;
    const exact = compared(key);
    this.keyCharacters += exact.length;
    return caseSensitive
      ? this.exact.has(exact, wholeWords)
      : this.folded.has(exact.toLowerCase(), wholeWords);
  }
}

/** Text with what it takes to look keys up in it. */
class SearchedText {
  private words: ReadonlyMap<string, readonly number[]> | undefined;
  private pairs: PairPlaces | undefined;
  private compared = 0;

  constructor(private readonly text: string) {}

  has(key: string, wholeWords: boolean): boolean {
    const words = !wholeWords || UNSPACED.test(key) ? [] : [...key.matchAll(WORD)];
    return words.length > 0 ? this.hasWords(key, words) : this.hasCharacters(key);
  }

  private hasWords(key: string, words: readonly RegExpExecArray[]): boolean {
    this.words ??= wordsOf(this.text);
    let rarest: readonly number[] = [];
    let offset = 0;
    for (const [n, { 0: word, index }] of words.entries()) {
      const places = this.words.get(word);
      if (!places) return false;
      if (n > 0 && rarest.length <= places.length) continue;
      rarest = places;
      offset = index;
    }
    const isThere = (at: number): boolean =>
      this.text.startsWith(key, at) && this.isEdge(at) && this.isEdge(at + key.length);
    return this.isAtAny(rarest, offset, isThere);
  }

  private hasCharacters(key: string): boolean {
    this.pairs ??= new PairPlaces(this.text);
    if (key.length < 2) return this.pairs.hasCharacter(key);
    const offset = this.pairs.rarestIn(key);
    if (offset === null) return false;
    const places = this.pairs.placesOf(key, offset);
    return this.isAtAny(places, offset, (at) => this.text.startsWith(key, at));
  }

  /** Tells whether a key is at one of these places, each `offset` characters into the key. */
  private isAtAny(places: Iterable<number>, offset: number, isThere: (at: number) => boolean): boolean {
    for (const place of places) {
      if (this.compared >= MAX_COMPARED) return false;
      this.compared += 1;
      const at = place - offset;
      if (at >= 0 && isThere(at)) return true;
    }
    return false;
  }

  /** Tells whether no word goes on across a place. */
  private isEdge(at: number): boolean {
    return !LETTER.test(this.text.charAt(at - 1)) || !LETTER.test(this.text.charAt(at));
  }
}

/** Brings a text or a key to the form in which they are compared: signs as keyboards have them, and single spaces. */
function compared(text: string): string {
  return text.normalize('NFKC').replaceAll(/[‘’]/g, "'").replaceAll('\u2010', '-').replaceAll(/\s+/g, ' ');
}

/** Finds where each word of a text stands. */
function wordsOf(text: string): Map<string, number[]> {
  const places = new Map<string, number[]>();
  for (const { 0: word, index } of text.matchAll(WORD)) {
    const known = places.get(word);
    if (known) known.push(index);
    else places.set(word, [index]);
  }
  return places;
}
