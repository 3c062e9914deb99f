import { countOnce } from './count-once.js';

/*
 * Tokens per character, from what byte-pair vocabularies of 100,000 to 200,000 entries average: English words
 * 4 characters a token with their space, other alphabets a little over 2, CJK about 1, digits and punctuation
 * between 2 and 3. Emoji take two or more tokens for their two code units.
 */
const LETTER = 5;
const DIGIT_OR_MARK = 8;
const OTHER_ALPHABET = 9;
const IDEOGRAPH = 20;
const SURROGATE = 20;
/** Weight of one token: whole numbers add up without rounding. */
const TOKEN = 20;

/** Weight of each code unit, as a table: a prompt is counted several times a turn, and deciding takes thrice as long. */
const WEIGHTS = Uint8Array.from({ length: 0x1_00_00 }, (_, unit) => weightOf(unit));

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

function weightOf(unit: number): number {
  if (unit < 0x80) {
    const isLetter = (unit >= 0x61 && unit <= 0x7a) || (unit >= 0x41 && unit <= 0x5a) || unit === 0x20;
    return isLetter ? LETTER : DIGIT_OR_MARK;
  }
  if (unit >= 0xd800 && unit <= 0xdfff) return SURROGATE;
  return unit >= 0x2e80 ? IDEOGRAPH : OTHER_ALPHABET;
}
