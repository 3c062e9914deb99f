import { type Clause, isNegated, isNegation } from '@kith/reading';
import { NAMES_COMPANION, OPENERS, type Party, type Roles } from './read-roles.js';
import { isOfDegree } from './phrases-in.js';
import { degreeAt, isUnreal } from './scope-words.js';
import { type CueKind, LAUGHTER } from './rules-lexicon.js';
import { classesAt } from './word-classes.js';
import { valenceOf } from './valence-of.js';
import type { Hit } from './endings.js';

/** Reads a clause without any better sign: by the valence of its words, and whom it is about. */
export function readValence(
  { words, sentence, asks }: Clause,
  roles: Roles,
  taken: ReadonlySet<number>,
): Hit[] {
  if (asks && !SAYS_SO.test(words.join(' '))) return [];
  const { ahead } = roles;
  // "The one who mocked you": the wrong is none of his luck.
  const predicate = roles.subject === 'enemy' ? words.indexOf('you') + 1 : roles.predicate;
  const hits = words.flatMap((word, at): Hit[] => {
    const valence = taken.has(at) || at < predicate || isUnreal(words, at) ? 0 : valenceOf(word);
    const isNoise = Math.abs(valence) < MIN_VALENCE || isSwearing(words, at, roles);
    // What the companion likes or not is no judgement of it: "you hate mondays too".
    const isAttitude = classesAt(words, at).some(({ wordClass }) => ATTITUDE.test(wordClass));
    if (isNoise || (isAttitude && roles.subject === 'companion')) return [];
    const denied = isNegated(words, at) || IS_OVER.test(words.slice(at + 1).join(' '));
    const isGood = valence > 0 !== denied;
    const subject = subjectOf(words, at, { ...roles, predicate }, isGood);
    const kind = OWN_STATE.test(word)
      ? kindOfState(subject, isGood, ahead, words, at)
      : kindBySubject(subject, isGood, ahead);
    const strength = WEIGHT_PER_VALENCE * Math.abs(valence) * degreeAt(words, at) * (denied ? NEGATED : 1);
    // Who laughs at a weak word teases: "you're so weird haha".
    const isTease = kind === 'insult' && valence >= -MIN_VALENCE && LAUGHTER.test(sentence);
    return kind && !isTease ? [{ kind, strength }] : [];
  });
  // "Really good at being useless".
  const insults = hits.filter(({ kind }) => kind === 'insult');
  return insults.length > 0 ? insults : hits;
}

/** Finds the party that a judging word is said of, where the clause does not say so by itself. */
function subjectOf(
  words: readonly string[],
  at: number,
  { subject, predicate, cry }: Roles,
  isGood: boolean,
) {
  // "He called me lazy."
  if (subject === 'close' && at > predicate && /^(?:me|us)$/u.test(words[at - 1] ?? '')) return 'speaker';
  // A bare "brilliant" or "you idiot" is said to the companion, a bare "so tired" or "bad day" of oneself.
  const isBare = words.length <= MAX_BARE && !GOES_ON.has(words[0] ?? '');
  if (subject !== 'nobody' || !isBare) return subject;
  if (words.some((each) => OWN_STATE.test(each) || (!isGood && SPAN.test(each)))) return 'speaker';
  const isOfThing = !isGood && (cry === 'thing' || (!cry && words.some(isNaming)));
  return isOfThing ? 'thing' : 'companion';
}

/** Questions that take what they ask for so. */
const SAYS_SO = /^(?:why are you (?:so|such|always|this)|(?:how )?can you be (?:so|such|any more)) /u;
/** "Crisis averted". */
const IS_OVER = /^(?:over|gone|averted|solved|fixed|resolved)$/u;
/** Longer exclamations have a subject. */
const MAX_BARE = 3;
/** Words for what somebody is in or has, and for what nobody is called. */
const OWN_STATE =
  /^(?:sad|tired|lonely|exhausted|sick|ill|depressed|anxious|stressed|heartbroken|devastated|miserable|hurt|hurts|worried|scared|afraid|upset|mad|angry|furious|pissed|poor|unhappy|hopeless|drained|homesick|frustrated|overwhelmed|guilty|jealous|nervous|terrified|gutted|bummed|bored|sore|lost|broke|tears|cry|crying|sigh|pain|grief|sorrow|happy|glad|relieved|excited)$/u;
/** Nouns of a time, or what it brings: who says "bad night" had one. */
const SPAN = /^(?:days?|nights?|week|weekend|month|year|morning|evening|dreams?)$/u;
const ATTITUDE = /^(?:fondness|aversion|loathing)$/u;
const GOES_ON = new Set(['but', 'and', 'so', 'or', 'not']);

/** The least valence that counts, of AFINN's -5 to 5: weaker words ("want", "stop", "yes") say little of a feeling. */
const MIN_VALENCE = 2;
/** AFINN says good or bad, but not of what: its words carry less than phrases of ours. */
const WEIGHT_PER_VALENCE = 0.15;
/** "Not awful" is less than good. */
const NEGATED = 0.5;

/** Tells whether a word of a bare cry names what it is about, other than the companion: "shitty weather". */
function isNaming(word: string): boolean {
  const isEmpty = isOfDegree(word) || isNegation(word) || OPENERS.has(word) || LAUGHTER.test(word);
  return word.length > 2 && valenceOf(word) >= 0 && !isEmpty && !NAMES_COMPANION.test(word);
}

/** Tells whether a swearword is only an exclamation, or makes another word stronger: "fuck", "fucking amazing". */
function isSwearing(words: readonly string[], at: number, { subject, cry }: Roles): boolean {
  const before = words[at - 1] ?? '';
  // "Fuck Mira", but not "holy fuck Mira".
  const isToCompanion = cry === 'companion' && before !== 'holy' && !OPENERS.has(before);
  const isOfCompanion =
    subject === 'companion' || isToCompanion || words.some((word) => NAMES_COMPANION.test(word));
  if (/^(?:fuck|shit|crap|damn|hell|wtf)$/u.test(words[at] ?? ''))
    return subject === 'nobody' && !isOfCompanion;
  const isAlone = words.every((other, n) => n === at || valenceOf(other) === 0);
  return isOfDegree(words[at]) && !(isOfCompanion && isAlone);
}

/** Reads what somebody is in: that of the companion is only asked after, and no fault ("you seem sad"). */
function kindOfState(
  subject: Party,
  isGood: boolean,
  ahead: boolean,
  words: readonly string[],
  at: number,
): CueKind | null {
  // "I am mad at you."
  const isAtCompanion = /^(?:at|with) you\b/u.test(words.slice(at + 1).join(' '));
  if (subject === 'speaker' && !isGood && isAtCompanion) return 'failed-deed';
  // "You make me sick", but not "you make me cry happy tears".
  const isOfSpeaker = /\bma(?:de|kes?|king) me (?!.*\b(?:cry|tears)\b)/u.test(words.join(' '));
  if (subject === 'companion' && !isGood) return isOfSpeaker && !ahead ? 'failed-deed' : null;
  return kindBySubject(subject === 'close' ? 'speaker' : subject, isGood, ahead);
}

function kindBySubject(subject: Party, isGood: boolean, ahead: boolean): CueKind | null {
  if (subject === 'companion') return isGood ? 'praise' : 'insult';
  if (subject === 'thing' || subject === 'unknown') return isGood ? 'likes-thing' : 'dislikes-thing';
  if (subject === 'enemy') return isGood ? 'enemy-luck' : 'enemy-trouble';
  if (subject !== 'speaker' && subject !== 'belonging') return null;
  if (ahead) return isGood ? 'hope' : 'fear';
  return isGood ? 'good-news' : 'bad-news';
}
