import { wordSet } from './word-set.js';

/** Characters of a word that are read: no word that rules know is as long. */
const MAX_WORD_CHARACTERS = 40;

/** Gives the words of a text in lower case, with abbreviations and contractions in full. */
export function readWords(text: string): string[] {
  const words = text
    .toLowerCase()
    .replaceAll(DRAWN_OUT, '$1')
    .match(/[\p{L}\p{N}']+/gu);
  return plainWords((words ?? []).map((word) => word.slice(0, MAX_WORD_CHARACTERS)));
}

/** Letters drawn out: "sooo". */
export const DRAWN_OUT = /(\p{L})\1{2,}/gu;

/** Abbreviations of chat, and other spellings of words that rules know in one. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  `u ya=you; r=are; ive=i have; im=i am; youre=you are; youve=you have; theyre=they are; thats=that is; hes=he is;
  shes=she is; its=it is; whats=what is; dont=do not; doesnt=does not; didnt=did not; isnt=is not; arent=are not;
  wasnt=was not; werent=were not; wont won't=will not; cant can't cannot=can not; couldnt=could not;
  wouldnt=would not; shouldnt=should not; havent=have not; hasnt=has not; hadnt=had not; aint ain't=is not;
  youd=you would; theyd=they would; gonna=going to; wanna=want to; gotta=got to; nope=no; nah=no; cuz bc coz cos=because;
  abt=about; luv=love; ty thx thanx tnx thankyou=thank you; tysm tyvm=thank you so much; sry soz=sorry; pls plz=please;
  tmrw tmr tomoz=tomorrow; bday=birthday; bf=boyfriend; gf=girlfriend; bff bestie=friend; ppl=people; fav fave favorite=favourite;
  canceled=cancelled; apologise apologised=apologize; gr8=great; sux=sucks; idk=i do not know; idc=i do not care;
  iloveyou ily ilysm=i love you; omw=on my way; stfu=shut up; gtfo=get lost; ikr tbh ngl imo imho lol lmao lmfao rofl omg fr rn btw=`
    .split(';')
    .flatMap((entry) => {
      const [from = '', to = ''] = entry.trim().split('=');
      return from.split(' ').map((word) => [word, to]);
    }),
);

const ENDINGS: readonly [ending: string, instead: string][] = [
  ["n't", ' not'],
  ["'m", ' am'],
  ["'re", ' are'],
  ["'ve", ' have'],
  ["'ll", ' will'],
];

/** Words after which `'s` is a verb; after any other it may as well be a genitive. */
const BEFORE_IS = wordSet('he she it that there what who where how here everything everyone');
/** Word before which `'d` is "had": "I'd hoped". Before any other it is "would": "I'd hope". */
const PARTICIPLE =
  /(?:ed|en|got|gone|done|had|known|grown|shown|thrown|worn|torn)$|^(?:better|begun|bought|brought|built|caught|felt|found|heard|held|kept|left|lost|made|meant|met|said|sent|slept|spent|stood|taught|thought|told|understood|won)$/u;
/** Verbs that only look like a participle: "I'd need". */
const NO_PARTICIPLE =
  /^(?:need|feed|bleed|breed|speed|heed|weed|(?:ex|pro|suc)ceed|listen|open|happen|fasten|frighten|threaten|(?:bright|deep|hast|light|loos|sharp|short|soft|straight|strength|tight|weak|wid)en)$/u;
/** Words that may stand between `'d` and its verb. */
const BETWEEN = wordSet('just never already always also ever even often still really only finally recently');
/** Words before which "ur" is "you are". */
const AFTER_ARE =
  /^(?:so|such|an?|the|not|very|being|just|too|my|still|always|never|kind|going|right|wrong|welcome|\p{L}{2,20}ly)$/u;
/** Openers after which it is so before the last word as well: "bro ur great". Anywhere else it is "your". */
const BEFORE_ARE =
  /^(?:and|but|because|so|god|wow|damn|bro|dude|man|think|know|that|if|when|honestly|ok|okay)?$/u;

/** Words before which "ill" is sick and "id" a card; before others they lack an apostrophe. */
const AFTER_NOUN =
  /^(?:today|tonight|again|right|now|rn|atm|lol|since|in|with|at|for|from|of|and|or|but|because|i|we|that|people|person|patients?|health|effects|is|was|cards?|numbers?|checks?|photos?|verification|theft|please)$/u;

/** Words after which "ill" is sick as well: "I feel so ill my head spins". */
const SO_MUCH = /^(?:am|is|are|was|were|feel|feels|felt|look|looks|looked) so$/u;

/** Gives lower-case words with abbreviations and contractions in full: "dont" is "do" and "not". */
function plainWords(words: readonly string[]): string[] {
  const plain: string[] = [];
  for (const [n, word] of words.entries()) {
    const next = words[n + 1] ?? '';
    if (word === 'ur') {
      const isLast = words.length === n + 2 && BEFORE_ARE.test(plain.at(-1) ?? '');
      if (AFTER_ARE.test(next) || isLast || words.length === 1) plain.push('you', 'are');
      else plain.push('your');
      continue;
    }
    const isMissing = /^i(?:ll|d)$/u.test(word) && BEFORE_ARE.test(plain.at(-1) ?? '') && next !== '';
    const isNoun = AFTER_NOUN.test(next) || SO_MUCH.test(plain.slice(-2).join(' '));
    const full = inFull(isMissing && !isNoun ? `i'${word.slice(1)}` : word, words, n);
    if (full.includes(' ')) plain.push(...full.split(' ').filter(Boolean));
    else if (full !== '') plain.push(full);
  }
  return plain;
}

function inFull(word: string, words: readonly string[], n: number): string {
  const spelling = Object.hasOwn(SPELLINGS, word) ? SPELLINGS[word] : undefined;
  if (spelling !== undefined) return spelling;
  if (!word.includes("'")) return word;
  if (word.endsWith("'d"))
    return `${word.slice(0, -2)} ${isParticiple(verbAfter(words, n)) ? 'had' : 'would'}`;
  if (word.endsWith("'s") && BEFORE_IS.has(word.slice(0, -2))) return `${word.slice(0, -2)} is`;
  const contraction = ENDINGS.find(([ending]) => word.endsWith(ending));
  return contraction ? word.slice(0, -contraction[0].length) + contraction[1] : word;
}

/** Finds the next word that is more than an adverb of time or degree; empty where none follows. */
function verbAfter(words: readonly string[], n: number): string {
  let at = n + 1;
  while (BETWEEN.has(words[at] ?? '')) at += 1;
  return words[at] ?? '';
}

function isParticiple(word: string): boolean {
  return PARTICIPLE.test(word) && !NO_PARTICIPLE.test(word);
}

/** Words as chat spells them. Within a longer one, or one with an apostrophe, none is looked for. */
const SPELT = /(?<![\p{L}\p{N}'’-])\p{L}[\p{L}\p{N}]{0,9}(?![\p{L}\p{N}-])/gu;

/**
 * Writes a text out as rules for whole texts know it: "im from Graz lol" becomes "I am from Graz". With a capital a word may
 * be a name, unless it can only be a contraction ("Ty", but not "Dont").
 */
export function spellOut(text: string): string {
  return text
    .replaceAll(/(?<!\p{L})not (?:gonna|going to) lie,?(?!\p{L})/giu, '')
    .replaceAll(SPELT, (word) => {
      if (word === 'i') return 'I';
      const key = word.toLowerCase();
      const full = Object.hasOwn(SPELLINGS, key) ? (SPELLINGS[key] ?? word) : word;
      const isContraction = /^i (?:am|have)$| not$/u.test(full);
      return word === key || isContraction ? full.replace(/^i /u, 'I ') : word;
    })
    .replaceAll(/ +(?=[ ,.!?]|$)/gu, '')
    .trim();
}
