import { textForRules } from '@kith/reading';
import { analyseIn, languageOf } from '../words/analyse-text.js';
import { emojiOf, hasEmoji } from '../words/emoji.js';

// Words with which somebody says that something is not so, or is not to be kept, in English, German, Spanish, French and
// Portuguese.
const TAKES_BACK =
  /\b(?:wrong|incorrect|untrue|outdated|mistaken?|forget|remove|delete|erase|withdraw|no longer|any ?more|(?:is|was)(?:n['’]t| not) (?:true|right|correct|so)|(?:don['’]t|do not|stop) (?:remember|keep|mention)(?:ing)?|take (?:that|it) back|falsch|stimmt (?:so )?nicht|vergiss|lösch(?:e|t)?|streich(?:e|t)?|nicht mehr|irrtum|falso|incorrecto|no es (?:verdad|cierto)|olvida|borra|ya no|faux|pas vrai|oublie|efface|supprime|errado|não é|esquece|esqueça|apaga|já não)(?!\p{L})/iu;
/** Words that ask for the opposite: "don't forget". */
const KEEPS =
  /(?<!\p{L})(?:(?:don['’]t|do not|never|won['’]t|not) (?:ever )?(?:forget|remove|delete|erase)|(?:nicht|nie|niemals) (?:\p{L}{1,12} )?(?:vergessen|löschen|streichen)|(?:vergiss|vergesst|lösch(?:e|t)?|streich(?:e|t)?) (?:(?!(?:und|aber|sondern|dass|daß|ich|wir|weil|denn|stimmt|gibt|ist|war|habe) )\p{L}{1,12} ){0,6}(?:nicht|nie|niemals)(?! mehr)(?!\p{L})|(?:no|nunca|jamás) (?:(?:me|te|se|lo|la|los|las|nos) ){0,2}(?:olvid|borr)|(?:n['’]|ne )(?:(?:me |te |nous |vous )?(?:l['’]|les? |la )?)(?:oubli|effac|supprim)|(?:não|nunca|jamais) (?:(?:me|te|se|o|a|os|as) ){0,2}(?:esque|apag))/iu;
/** Words beside those with which somebody puts something right. */
const CORRECTS =
  /\b(?:no|not|actually|rather|instead|now|correction|correct|meant|changed|nein|nicht|eigentlich|sondern|jetzt|statt|ahora|en realidad|sino|non|pas|en fait|maintenant|não|na verdade|agora)(?!\p{L})|n['’]t\b/iu;
/**
 * An emoji that stands for a thing, behind a word that names things. Most others show a mood: "forget it 😂" means no memory
 * that has one, too.
 */
const NAMED_EMOJI =
  /(?<!\p{L})(?:the|my|about|de[nmr]|die|mein(?:en?)?|mit|l[ae]s?|mon|ma|mes|el|los|mis?|os?|meus?|minhas?)\s+([^\s\p{L}\p{N}]+)/giu;
/** Words for the person, whom a note tells of in the third person. */
const FOR_PERSON = new Set(['user', 'person']);
/** Sentences of a turn that are looked at: who says more puts nothing right in passing. */
const MAX_SENTENCES = 40;

/** Letters of a term that must agree, and those that an ending may have: stems of one word differ by little. */
const MIN_STEM = 4;
const MAX_ENDING = 2;

/** Memory that is to be put right or taken back, and what its person said in this turn. */
export interface Amendment {
  memory: { text: string; speaker: string | null };
  /** Words it should say; null where it is taken back. */
  text: string | null;
  /** The person's own words of this turn: nothing they quote, and nothing that was recalled. */
  said: readonly string[];
}

/**
 * Decides whether a person says themselves that a memory is wrong, or what it should say: in a sentence that is no
 * question, with words of the memory. All that is new in a correction has to be their word. In doubt they do not. Pure.
 */
export function isAskedFor({ memory, text, said }: Amendment): boolean {
  const all = said.map((message) => textForRules(message));
  const languages = new Set([memory.text, ...all].map((one) => languageOf(one)));
  const termsOf = (words: string) => new Set([...languages].flatMap((each) => analyseIn(words, each)));
  const [old, own] = [termsOf(memory.text), termsOf(all.join('\n'))];
  const sentences = all
    .flatMap((message) => message.split(/(?<=[.!?\n…。！？])/u))
    .slice(0, MAX_SENTENCES)
    .filter((sentence) => !/[?？]\s*$/u.test(sentence) && !KEEPS.test(sentence));
  const sharesOld = (sentence: string) =>
    [...termsOf(sentence)].some((term) => hasTerm(old, term)) || hasEmoji(memory.text, emojiNamed(sentence));
  if (text === null) return sentences.some((sentence) => TAKES_BACK.test(sentence) && sharesOld(sentence));
  const beside = new Set([...old, ...termsOf(memory.speaker ?? ''), ...FOR_PERSON]);
  const known = (term: string) => hasTerm(beside, term);
  // Each language cuts a word in its own way: one reading that is theirs is enough.
  const isTheirs = [...languages].some((each) =>
    analyseIn(text, each).every((term) => known(term) || hasTerm(own, term)),
  );
  const fresh = [...termsOf(text)].filter((term) => !known(term));
  return (
    isTheirs &&
    sentences.some((sentence) => {
      const terms = termsOf(sentence);
      const isCorrecting = CORRECTS.test(sentence) || TAKES_BACK.test(sentence);
      const hasFresh = fresh.some((term) => hasTerm(terms, term));
      return hasFresh ? isCorrecting || sharesOld(sentence) : isCorrecting && sharesOld(sentence);
    })
  );
}

function emojiNamed(sentence: string): string[] {
  return [...sentence.matchAll(NAMED_EMOJI)].flatMap(([, sign = '']) => emojiOf(sign));
}

function hasTerm(terms: ReadonlySet<string>, wanted: string): boolean {
  if (terms.has(wanted)) return true;
  return [...terms].some((term) => {
    const [short, long] = term.length < wanted.length ? [term, wanted] : [wanted, term];
    return short.length >= MIN_STEM && long.length - short.length <= MAX_ENDING && long.startsWith(short);
  });
}
