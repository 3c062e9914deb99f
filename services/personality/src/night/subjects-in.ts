import { readWords } from '@kith/lexical-embedding';
import { textForRules } from '@kith/reading';

/** Words that people say with pleasure, and that name no subject. */
const TOO_PLAIN = new Set(
  `always amazing anything awesome beautiful best better today tomorrow yesterday tonight morning evening night
  week weekend month year time everyone everything favorite favourite feel feeling feels friend friends funny glad
  guess guys happy hate haha hope idea kind life like liked little look looking lot lovely love loved loves maybe
  mean mine morning never nice nothing people perfect person place please pretty right sad someone something sorry
  stuff super sure sweet take tell them think total totally tried trying used wait want wanted week wonderful work
  world would years yesterday talk talking told glad excited enjoy enjoyed`.split(/\s+/),
);

/** Returns words that can be the subject of a text: of some length, and in lower case as no name is. */
export function subjectsIn(texts: readonly string[]): Set<string> {
  const words = texts.flatMap(
    (text) =>
      withoutLinks(textForRules(text)).match(/(?<![\p{L}\p{N}'’@#/])\p{Ll}{5,20}(?![\p{L}\p{N}'’])/gu) ?? [],
  );
  return new Set(
    words.filter(
      (word) =>
        !TOO_PLAIN.has(word) &&
        readWords(word).every(({ isStopWord, isUnspaced }) => !isStopWord && !isUnspaced),
    ),
  );
}

function withoutLinks(text: string): string {
  return text.replaceAll(/\S+/g, (word) => (/.[@/.]./su.test(word) ? ' ' : word));
}
