/** Verbs that are no regular third person. */
const IRREGULAR: Readonly<Record<string, string>> = {
  is: 'are',
  was: 'were',
  has: 'have',
  does: 'do',
  goes: 'go',
  'isn’t': 'aren’t',
  "isn't": "aren't",
  'doesn’t': 'don’t',
  "doesn't": "don't",
  'hasn’t': 'haven’t',
  "hasn't": "haven't",
  'wasn’t': 'weren’t',
  "wasn't": "weren't",
};
/** Words between a subject and its verb. */
const ADVERB =
  /^(?:also|always|still|often|never|sometimes|usually|really|now|just|currently|mostly|rarely|mainly)$/u;
/** A second verb of the same subject, of those that are no nouns. */
const SECOND_VERB =
  /\b(and|but|or) (is|was|has|does|goes|lives|likes|loves|dislikes|hates|keeps|wants|studies|owns|enjoys|prefers|eats|drinks|speaks)\b/gu;
/** Beginning of what a line tells of another: their verbs stay. */
const OF_ANOTHERS = /(?= (?:who|whom|whose|which|that)\b)|(?=[“"])/u;
/** Pronouns that may stand for somebody else: such a line is told as it stands. */
const OF_ANOTHER =
  /\b(?:he|she|they|him|them|hers)\b|\b(?:her|his|their)(?: (?:in|at|on|to|for|and|with|when|because|a|an|the)\b|[^\p{L} ]|$)/iu;
const THEIR = /\b(?:his|her|their)\b/iu;
const EACH_THEIR = new RegExp(THEIR, 'giu');
const THEMSELVES = /\b(?:him|her)self\b|\bthemsel(?:f|ves)\b/giu;
/** A day in brackets that ends a fact: nobody is meant in it. */
const TIMES = / \((?:since|from|said on) [^()]{1,120}\)$/u;

/**
 * Puts what is kept of a person in the third person, as `Ada lives in Tokyo` or `They are called Ada`, to the person. What
 * may be about somebody else, or can't be told to them in good English, stays as it is. Pure.
 */
export function speakToPerson(text: string, names: readonly string[]): string {
  const times = TIMES.exec(text.slice(-160))?.[0] ?? '';
  const sentences = text.slice(0, text.length - times.length).split(/(?<=[.!?…])\s/u);
  const spoken = sentences.map((sentence) => sentenceTo(sentence, names));
  // A later "They" may be whoever the sentence before told of.
  const isClear = spoken.every((sentence, at) => sentence !== sentences[at]);
  return `${isClear ? spoken.join(' ') : [spoken[0], ...sentences.slice(1)].join(' ')}${times}`;
}

function sentenceTo(sentence: string, names: readonly string[]): string {
  const perhaps = sentence.startsWith('Perhaps ') ? 'Perhaps ' : '';
  const told = sentence.slice(perhaps.length);
  const named = ['This person', 'The person', ...names];
  const subject = ['They', 'Their', ...named].find((one) => startsWithWord(told, one));
  if (subject === undefined) return sentence;
  const rest = told.slice(subject.length);
  const you = (words: string) => perhaps + (perhaps === '' ? words : words.replace(/^Y/u, 'y'));
  if (subject === 'Their') return you(`Your${rest}`);
  const owned = /^['’]s (?=\S)/u.exec(rest)?.[0];
  if (owned !== undefined) return you(`Your ${rest.slice(owned.length)}`);
  if (rest.startsWith(': ')) return you(`Your ${rest.slice(2)}`);
  if (!rest.startsWith(' ')) return sentence;
  const at = rest.search(OF_ANOTHERS);
  const said = rest.slice(1, at === -1 ? undefined : at);
  const others = at === -1 ? '' : rest.slice(at);
  if (OF_ANOTHER.test(said)) return sentence;
  if (!/^[“"]/u.test(others) && (OF_ANOTHER.test(others) || THEIR.test(others))) return sentence;
  const verbs = subject === 'They' ? said : secondPerson(said);
  const rephrased = verbs.replaceAll(THEMSELVES, 'yourself').replaceAll(EACH_THEIR, 'your');
  return you(`You ${rephrased}${others}`);
}

function startsWithWord(text: string, word: string): boolean {
  return word !== '' && text.startsWith(word) && !/^[\p{L}\p{N}]/u.test(text.slice(word.length));
}

/** `lives in Rome and likes tea` as `live in Rome and like tea`. */
function secondPerson(predicate: string): string {
  const words = predicate.split(' ');
  const at = words.findIndex((word) => !ADVERB.test(word));
  return words
    .map((word, place) => (place === at ? verbTo(word) : word))
    .join(' ')
    .replaceAll(SECOND_VERB, (_, joined: string, verb: string) => `${joined} ${verbTo(verb)}`);
}

function verbTo(verb: string): string {
  if (Object.hasOwn(IRREGULAR, verb)) return IRREGULAR[verb] ?? verb;
  if (!/^\p{Ll}{2,}s$/u.test(verb) || /(?:ss|us)$/u.test(verb)) return verb;
  if (verb.endsWith('ies') && verb.length > 4) return `${verb.slice(0, -3)}y`;
  return /(?:sh|ch|ss|x|zz|o)es$/u.test(verb) ? verb.slice(0, -2) : verb.slice(0, -1);
}
