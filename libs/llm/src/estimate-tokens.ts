/** Counts tokens of a text: once for each `of`, an object whose text it is for as long as the object lives. */
export type CountTokens = (text: string, of?: object) => number;

/** Makes a count that remembers what it counted of each object. */
export function countOnce(count: (text: string) => number): CountTokens {
  const known = new WeakMap<object, number>();
  return (text, of) => {
    if (!of) return count(text);
    const counted = known.get(of) ?? count(text);
    known.set(of, counted);
    return counted;
  };
}

/*
 * Tokens per character, from what byte-pair vocabularies of 100,000 to 200,000 entries average: English words
 * 4 characters a token with their space, other alphabets a little over 2, CJK about 1, digits and punctuation
 * between 2 and 3. Thai, Khmer, Devanagari or Amharic (U+0900 to U+1FFF) take .3 to 2, by script and
 * vocabulary. Emoji take two or more tokens for their two code units.
 */
const LETTER = 5;
const DIGIT_OR_MARK = 8;
const OTHER_ALPHABET = 9;
const SYLLABLE = 20;
const IDEOGRAPH = 20;
const SURROGATE = 20;
/** Weight of one token: whole numbers add up without rounding. */
const TOKEN = 20;

/** Weight of each code unit, as a table: a prompt is counted several times a turn, and deciding takes thrice as long. */
const WEIGHTS = new Uint8Array(0x1_00_00)
  .fill(DIGIT_OR_MARK, 0, 0x80)
  .fill(LETTER, 0x20, 0x21)
  .fill(LETTER, 0x41, 0x5b)
  .fill(LETTER, 0x61, 0x7b)
  .fill(OTHER_ALPHABET, 0x80, 0x9_00)
  .fill(SYLLABLE, 0x9_00, 0x20_00)
  .fill(OTHER_ALPHABET, 0x20_00, 0x2e_80)
  .fill(IDEOGRAPH, 0x2e_80)
  .fill(SURROGATE, 0xd8_00, 0xe0_00);

const weigh = countOnce((text) => {
  let weight = 0;
  for (let index = 0; index < text.length; index++) weight += WEIGHTS[text.charCodeAt(index)] ?? 0;
  return weight;
});

/**
 * A cheap estimate of a text's tokens, within about a fifth for plain prose in common tokenizers. For a budget
 * that must hold, raise `safetyFactor`: 1.2 covers nearly all prose, 1.5 also code and tables.
 * @param options.of object whose text it is, for as long as the object lives: its text is read once
 */
export function estimateTokens(
  text: string,
  { safetyFactor = 1, of }: { safetyFactor?: number; of?: object | undefined } = {},
): number {
  return Math.ceil((weigh(text, of) / TOKEN) * safetyFactor);
}
