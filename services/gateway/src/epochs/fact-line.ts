import { oneLine, present } from '@kith/contracts';
import { tellingWords } from '../quotes/quote-finder.js';
import { askedWords, sentencesOf } from './asked-words.js';
import { marksIn, READ_CHARACTERS } from './rate-line.js';

/** Characters to which a sentence's fact is filled up with nearby words: six or seven words. */
const ENOUGH_CHARACTERS = 40;
/** Words of three letters that say nothing by themselves. `tellingWords` leaves out the longer ones. */
const LITTLE = new Set(
  'the and for but was are has had not his her its our you she him who why how did too any all one'.split(
    ' ',
  ),
);
/** Characters of a line's facts: a third of what is told of a line in short. */
const MAX_CHARACTERS = 120;

/**
 * Shortens a line to its facts: from each sentence with a mark, the words that would be asked for and some words near them,
 * in their order and as they were said. Empty if nothing would be asked. Pure.
 */
export function factLine(text: string): string {
  const whole = oneLine(text.slice(0, READ_CHARACTERS));
  const asked = marksIn(whole).map((mark) => askedWords(whole, mark));
  const sentences = sentencesOf(whole);
  const facts = [...Map.groupBy(asked, ({ at }) => at)]
    .sort(([a], [b]) => a - b)
    .map(([at, found]) => factOf(present(sentences[at]), new Set(found.flatMap(({ words }) => words))));
  return facts
    .reduce((told, fact) => {
      const longer = told === '' ? fact : `${told}; ${fact}`;
      return longer.length > MAX_CHARACTERS && told !== '' ? told : longer;
    }, '')
    .slice(0, MAX_CHARACTERS);
}

function factOf(sentence: string, words: ReadonlySet<string>): string {
  const tokens = [...sentence.matchAll(/\S+/gu)].map(({ 0: text, index: from }) => ({ text, from }));
  const lower = sentence.toLowerCase();
  const told = new Set<number>();
  for (const word of words) {
    const from = lower.indexOf(word);
    if (from < 0) continue;
    for (const [at, token] of tokens.entries()) {
      if (token.from < from + word.length && token.from + token.text.length > from) told.add(at);
    }
  }
  const needed = [...told];
  const distance = (at: number) => Math.min(...needed.map((one) => Math.abs(one - at)));
  let length = tokens.reduce((sum, { text }, at) => (told.has(at) ? sum + text.length + 1 : sum), 0);
  const near = tokens
    .map(({ text }, at) => ({ at, text, far: distance(at) }))
    .filter(({ at, text }) => !told.has(at) && says(text))
    .sort((a, b) => a.far - b.far || a.at - b.at);
  for (const { at, text } of near) {
    if (length + text.length + 1 > ENOUGH_CHARACTERS) continue;
    length += text.length + 1;
    told.add(at);
  }
  return tokens
    .filter((_, at) => told.has(at))
    .map(({ text }) => text.replace(/[.,!?;:]$/u, ''))
    .join(' ');
}

/** Tells whether a word says something by itself. */
function says(word: string): boolean {
  const bare = word.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
  return tellingWords(word).size > 0 || (bare.length === 3 && !LITTLE.has(bare));
}
