/** Part of a sentence that is read by itself. */
export interface Clause {
  /** Its text as it was written, with straight apostrophes and without quotations. */
  text: string;
  /** Its whole sentence, in the same form. */
  sentence: string;
  /** Its words in lower case, without punctuation, abbreviations and contractions in full. */
  words: string[];
  /** True where it is in capitals, or has an exclamation mark or a drawn-out word: it is meant more strongly. */
  loud: boolean;
  /** True where its sentence asks something, or asks for something to be done. */
  asks: boolean;
}

/** Text of a person, as rules read it. */
export interface Utterance {
  clauses: Clause[];
  /** Texts in quotation marks: words of somebody, which are not said to the companion. */
  quotes: string[];
  /** True where all of it is in quotation marks: it is read as if there were none. */
  isQuotation: boolean;
}

/** Ends of sentences. A full stop after a capital alone ("Washington D.C.") or after a title ends none. */
const SENTENCE_END = /(?<=[!?;\n…。！？]|(?<!\b(?:(?!I)\p{Lu}|St|Mr|Mrs|Ms|Dr))\.)/u;

/** A quotation within one line, with its words in one of the groups. */
export const QUOTATION = /"([^"\n]*)"|“([^“”\n]*)”|„([^„“\n]*)“|«([^«»\n]*)»/gu;

/** Beginning of a condition. Some that look like one suppose nothing, and what follows is so: "if you must know". */
const CONDITION =
  /^(?:if(?! (?:all|everything|things|it all|anything(?=,|$| (?:i|you|it|we|they|he|she)\b)|you (?:ask me|must (?:ask|know)|need it|remember|want to know|don't mind)|you're asking|i'm honest|i (?:sound|seem))\b)|unless)\b/u;

/** Beginning of a sentence about what is not so: a supposition, a story, or a text to work on. */
const UNREAL =
  /^(?:suppos(?:e|ing)|imagin(?:e|ing)|pretend(?:ing)?|let's (?:say|pretend)|hypothetical(?:ly)?|(?:re)?write|translate|spell|define|summari[sz]e|in (?:my|the|this|that|our) (?:novel|story|book|film|movie|game|play|poem|dream|song)(?! (?:club|shop|store|group|class|circle|room|industry|business)\b))\b/u;

/** Beginning of a sentence that asks for something, with a question mark or without. "When I told her" only tells. */
const REQUEST =
  /^(?:please|pls|plz|(?:can|could|would|will) (?:you|u)|do (?:you|u)|are (?:you|u)|what(?:'s| is|s)|how (?:do|does|can|would|much|many|long)|(?:where|when|which(?: \w+)?)(?:'s|'re|'d| (?:is|are|am|was|were|do|does|did|has|have|can|could|will|would|shall|should|might|must|to|u (?:at|from|free|home|\w+ing)))|tell me (?:about|how|what|a)|give me|show me|explain|recommend)\b/iu;

/** Places where a sentence may turn: at each of these a clause begins. */
const TURN =
  /,|:|\s(?=(?:but|however|although|though)\s)|\s(?=(?:and|so)\s(?:i|i'm|he|she|it|it's|they|we|you|now|then)\s)/iu;

/** Most clauses that are read, as rules compare each with the others: the longest ordinary message has fewer. */
const MAX_CLAUSES = 150;

/** Most words of a clause that are read, as rules compare each with the others: a clause has a dozen. */
const MAX_WORDS = 80;

/** Characters of a word that are read: no word that rules know is as long. */
const MAX_WORD_CHARACTERS = 40;

/** Splits talk into clauses, leaves out what is only supposed, and sets apart what is quoted. */
export function readClauses(text: string): Utterance {
  const straight = text.replaceAll(/[’‘`´]/gu, "'");
  const quotes = [...straight.matchAll(QUOTATION)].map(([, ...parts]) => parts.join(''));
  const own = straight.replaceAll(QUOTATION, ' ');
  // A message that is nothing but a quotation is read as the writer's own words.
  const isQuotation = quotes.length > 0 && !/\p{L}/u.test(own);
  const sentences = (isQuotation ? straight : own).split(SENTENCE_END).map((each) => each.trim());
  const clauses = sentences.flatMap(clausesOf).slice(0, MAX_CLAUSES);
  return { clauses, quotes: isQuotation ? [] : quotes, isQuotation };
}

function clausesOf(sentence: string): Clause[] {
  const start = sentence.toLowerCase();
  if (UNREAL.test(start) || CONDITION.test(start)) return [];
  const asks = /[?？]/u.test(sentence) || REQUEST.test(sentence);
  return unconditional(sentence.split(TURN).map((part) => part.trim()))
    .map((part) => ({ text: part, sentence, words: clauseWords(part), loud: isLoud(part), asks }))
    .filter(({ words }) => words.length > 0);
}

/** Leaves out each condition and what would follow from it: "Honestly, if you were useless, I'd be sad". */
function unconditional(parts: readonly string[]): string[] {
  const isCondition = (part: string | undefined) => CONDITION.test(part?.toLowerCase() ?? '');
  return parts.filter((part, n) => !isCondition(part) && !(isCondition(parts[n - 1]) && !GOES_ON.test(part)));
}

/** Beginning of a part that does not follow from the condition before it: "…, if that helps, and I live in Graz". */
const GOES_ON = /^(?:and|but|so|however|although|though)\b/iu;

/** The words of a clause up to a condition: "what happens if I fail" has not happened. */
function clauseWords(part: string): string[] {
  const all = readWords(part).slice(0, MAX_WORDS);
  const condition = all.findIndex((word, n) => word === 'if' && n > 0 && !OPENS_IF.has(all[n - 1] ?? ''));
  return condition === -1 ? all : all.slice(0, condition);
}

/** Gives the words of a text in lower case, with abbreviations and contractions in full. */
export function readWords(text: string): string[] {
  const words = text
    .toLowerCase()
    .replaceAll(DRAWN_OUT, '$1')
    .match(/[\p{L}\p{N}']+/gu);
  return plainWords((words ?? []).map((word) => word.slice(0, MAX_WORD_CHARACTERS)));
}

/** "What if" and "even if" are not conditions of something else. */
const OPENS_IF = new Set(['what', 'even', 'as']);

const DRAWN_OUT = /(\p{L})\1{2,}/gu;

function isLoud(part: string): boolean {
  const isShouted = /\p{Lu}{4,}/u.test(part) && part === part.toUpperCase();
  return part.includes('!') || isShouted || part.search(DRAWN_OUT) !== -1;
}

/** Abbreviations of chat, and other spellings of words that rules know in one. */
const SPELLINGS: Readonly<Record<string, string>> = Object.fromEntries(
  `u ya=you; r=are; ive=i have; im=i am; youre=you are; youve=you have; theyre=they are; thats=that is; hes=he is;
  shes=she is; its=it is; whats=what is; dont=do not; doesnt=does not; didnt=did not; isnt=is not; arent=are not;
  wasnt=was not; werent=were not; wont won't=will not; cant can't cannot=can not; couldnt=could not;
  wouldnt=would not; shouldnt=should not; havent=have not; hasnt=has not; hadnt=had not; aint ain't=is not;
  youd=you would; theyd=they would; gonna=going to; wanna=want to; gotta=got to; nope=no; nah=no; cuz bc coz cos=because;
  abt=about; luv=love; ty thx thanx tnx thankyou=thank you; tysm tyvm=thank you so much; sry soz=sorry; pls plz=please;
  tmrw tmr tomoz=tomorrow; bday=birthday; bf=boyfriend; gf=girlfriend; bff bestie=friend; fav fave favorite=favourite;
  canceled=cancelled; apologise apologised=apologize; gr8=great; sux=sucks; idk=i do not know; idc=i do not care;
  iloveyou ily ilysm=i love you; omw=on my way; stfu=shut up; gtfo=get lost; ikr tbh ngl imo imho lol lmao lmfao rofl omg fr rn=`
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
const BEFORE_IS = new Set('he she it that there what who where how here everything everyone'.split(' '));
/** Word before which `'d` is "had": "I'd hoped". Before any other it is "would": "I'd hope". */
const PARTICIPLE =
  /(?:ed|en|got|gone|done|had|known|grown|shown|thrown|worn|torn)$|^(?:better|begun|bought|brought|built|caught|felt|found|heard|held|kept|left|lost|made|meant|met|said|sent|slept|spent|stood|taught|thought|told|understood|won)$/u;
/** Verbs that only look like a participle: "I'd need". */
const NO_PARTICIPLE =
  /^(?:need|feed|bleed|breed|speed|heed|weed|(?:ex|pro|suc)ceed|listen|open|happen|fasten|frighten|threaten|(?:bright|deep|hast|light|loos|sharp|short|soft|straight|strength|tight|weak|wid)en)$/u;
/** Words that may stand between `'d` and its verb. */
const BETWEEN = new Set(
  'just never already always also ever even often still really only finally recently'.split(' '),
);
/** Words before which "ur" is "you are"; before any other it is "your". */
const AFTER_ARE = new Set('so such a an the not very really being just too my'.split(' '));

/** Gives lower-case words with abbreviations and contractions in full: "dont" is "do" and "not". */
export function plainWords(words: readonly string[]): string[] {
  const plain: string[] = [];
  for (const [n, word] of words.entries()) {
    const next = words[n + 1] ?? '';
    if (word === 'ur') {
      if (AFTER_ARE.has(next) || words.length <= 2) plain.push('you', 'are');
      else plain.push('your');
      continue;
    }
    const full = inFull(word, words, n);
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
