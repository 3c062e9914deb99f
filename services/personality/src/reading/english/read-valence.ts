import { type Clause, isNegated } from '@kith/reading';
import type { Party, Roles } from './read-roles.js';
import { degreeAt, isUnreal } from './scope-words.js';
import type { CueKind } from './rules-lexicon.js';
import { valenceOf } from './valence-of.js';
import type { Hit } from './endings.js';

/** Reads a clause without any better sign: by the valence of its words, and whom it is about. */
export function readValence({ words, asks }: Clause, roles: Roles, taken: ReadonlySet<number>): Hit[] {
  if (asks) return [];
  const { ahead } = roles;
  // "The one who mocked you": the wrong is none of his luck.
  const predicate = roles.subject === 'enemy' ? words.indexOf('you') + 1 : roles.predicate;
  // A bare "brilliant" or "you idiot" is said to the companion, a bare "so tired" or "bad day" of oneself.
  const isBare = words.length <= MAX_BARE && !GOES_ON.has(words[0] ?? '');
  const hits = words.flatMap((word, at): Hit[] => {
    const valence = taken.has(at) || at < predicate || isUnreal(words, at) ? 0 : valenceOf(word);
    if (Math.abs(valence) < MIN_VALENCE) return [];
    const denied = isNegated(words, at) || IS_OVER.test(words.slice(at + 1).join(' '));
    const isGood = valence > 0 !== denied;
    const bare = words.some((each) => OWN_STATE.test(each) || (!isGood && SPAN.test(each)));
    const said = bare ? 'speaker' : 'companion';
    const subject = roles.subject === 'nobody' && isBare ? said : roles.subject;
    const kind = kindBySubject(subject, isGood, ahead);
    const strength = WEIGHT_PER_VALENCE * Math.abs(valence) * degreeAt(words, at) * (denied ? NEGATED : 1);
    return kind ? [{ kind, strength }] : [];
  });
  // "Really good at being useless".
  const insults = hits.filter(({ kind }) => kind === 'insult');
  return insults.length > 0 ? insults : hits;
}

/** "Crisis averted". */
const IS_OVER = /^(?:over|gone|averted|solved|fixed|resolved)$/u;
/** Longer exclamations have a subject. */
const MAX_BARE = 3;
/** Words for what somebody is in or has, and for what nobody is called. */
const OWN_STATE =
  /^(?:sad|tired|lonely|exhausted|sick|ill|depressed|anxious|stressed|heartbroken|devastated|miserable|hurt|hurts|worried|scared|afraid|upset|unhappy|hopeless|drained|homesick|frustrated|overwhelmed|guilty|jealous|nervous|terrified|gutted|bummed|bored|sore|lost|broke|tears|cry|crying|sigh|pain|grief|sorrow|happy|glad|relieved|excited)$/u;
/** Nouns of a time, or what it brings: who says "bad night" had one. */
const SPAN = /^(?:days?|nights?|week|weekend|month|year|morning|evening|dreams?)$/u;
const GOES_ON = new Set(['but', 'and', 'so', 'or', 'not']);

/** The least valence that counts, of AFINN's -5 to 5: weaker words ("want", "stop", "yes") say little of a feeling. */
const MIN_VALENCE = 2;
/** AFINN says good or bad, but not of what: its words carry less than phrases of ours. */
const WEIGHT_PER_VALENCE = 0.15;
/** "Not awful" is less than good. */
const NEGATED = 0.5;

function kindBySubject(subject: Party, isGood: boolean, ahead: boolean): CueKind | null {
  if (subject === 'companion') return isGood ? 'praise' : 'insult';
  if (subject === 'thing' || subject === 'unknown') return isGood ? 'likes-thing' : 'dislikes-thing';
  if (subject === 'enemy') return isGood ? 'enemy-luck' : 'enemy-trouble';
  if (subject !== 'speaker' && subject !== 'belonging') return null;
  if (ahead) return isGood ? 'hope' : 'fear';
  return isGood ? 'good-news' : 'bad-news';
}
