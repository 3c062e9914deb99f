import { moodInWords, type NeedView, type Pad, type NeedName } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import type { Persona } from '@kith/characters';
import type { Quirk } from './quirk.js';
import type { Bond, Stage } from '../affect/bond/bond.js';
import { describeMet } from '../affect/mood/describe-mood.js';
import { styleKnobs, NOTICEABLE } from './style-knobs.js';

/** The material of a mood block, all of it as of now. */
interface MoodBlockInput {
  felt: Pad;
  baseline: Pad;
  bond: Bond;
  persona: Persona;
  /** The most urgent first. */
  needs: readonly NeedView[];
  quirks: readonly Quirk[];
  /** The companion's note on a day just past; null without one. */
  selfNote: string | null;
}

/** Every reply pays for it. Counted by `estimateTokens`, which is right within a fifth. */
export const MAX_MOOD_TOKENS = 220;

/**
 * The prompt's mood part, between a line `<mood>` and a line `</mood>` which readers of the prompt look for:
 * a first-person note, then style knobs. It says how to write and not what to feel, so that a mood shows in
 * the voice rather than being announced. The same state gives the same text. Past `MAX_MOOD_TOKENS`, habits
 * go first, then the wish and the note.
 */
export function moodBlock(input: MoodBlockInput): string {
  const { felt, baseline, bond, quirks, selfNote } = input;
  const knobs = styleKnobs(felt, baseline, bond, input.persona);
  const opening = [
    '<mood>',
    `I'm ${moodInWords(describeMet(felt, { baseline, tension: bond.tension }))} right now, ${comparedToUsual(felt, baseline)}.`,
    bondLine(bond),
  ];
  const closing = [
    `Style: length ${knobs.length}; warmth ${knobs.warmth}; playfulness ${knobs.playfulness}; initiative ${knobs.initiative}; address ${knobs.address}; emoji ${knobs.emoji}.`,
    "It shows in how I write; I don't bring it up unless I'm asked, and I never make it the other one's task.",
    '</mood>',
  ];
  const note = selfNote === null ? null : `My note on the day before: ${selfNote}`;
  const wish = wishLine(input.needs.filter(({ need }) => !isAgainst(need, input, knobs)));
  const between = [note, wish, interestLine(quirks), phraseLine(quirks)].filter((line) => line !== null);
  const withFirst = (count: number) => [...opening, ...between.slice(0, count), ...closing].join('\n');
  const fits = (count: number) => estimateTokens(withFirst(count)) <= MAX_MOOD_TOKENS;
  return withFirst([4, 3, 2, 1].find(fits) ?? 0);
}

/** A need of less urgency than this is not mentioned. */
const WORTH_SAYING = 0.12;

/** Words for a pressing need: a wish for the talk at hand, and never a reproach or a plea. */
const WISHES: Readonly<Record<NeedName, string>> = {
  belonging: "I'm in the mood for company, and whatever there is of it is enough.",
  novelty: "I'd enjoy hearing something I don't know yet.",
  competence: "I'd like to get something properly right today.",
  autonomy: "I'd rather follow an idea of my own than be steered.",
  rest: "I'm a little worn out, so I keep it short and calm.",
  play: "I'm in the mood for some nonsense.",
  care: "I'd like to be of some use to somebody.",
};

/** More than the pull of needs can lower a mood: what did so was hard, or sad. */
const CAST_DOWN = 0.15;

/** Tells whether a wish would speak against the mood and style that the same block asks for. */
function isAgainst(
  need: NeedName,
  { felt, baseline, bond }: Pick<MoodBlockInput, 'felt' | 'baseline' | 'bond'>,
  { length, playfulness, initiative }: ReturnType<typeof styleKnobs>,
): boolean {
  const isHard = bond.strained || baseline.p - felt.p > CAST_DOWN;
  switch (need) {
    case 'play':
      return isHard || playfulness === 'little';
    case 'novelty':
      return isHard;
    case 'rest':
      return length === 'a little longer than usual';
    case 'autonomy':
      return initiative === 'follow';
    default:
      return false;
  }
}

/** Words the most pressing need as a wish; null when none presses. */
function wishLine([need]: readonly NeedView[]): string | null {
  return need && need.urgency >= WORTH_SAYING ? WISHES[need.need] : null;
}

/** A habit weaker than this does not show. */
const AUDIBLE_QUIRK = 0.2;

/** A prompt that names more habits makes a caricature of them. */
const MAX_INTERESTS = 3;
const MAX_PHRASES = 2;

/** Names the subjects the companion comes back to; null without one. */
function interestLine(quirks: readonly Quirk[]): string | null {
  const interests = audible(quirks, 'interest').slice(0, MAX_INTERESTS);
  return interests.length === 0 ? null : `Lately I like to come back to: ${interests.join(', ')}.`;
}

/** Names the phrases the companion repeats; null without one. */
function phraseLine(quirks: readonly Quirk[]): string | null {
  const phrases = audible(quirks, 'speech').slice(0, MAX_PHRASES);
  return phrases.length === 0
    ? null
    : `Now and then I catch myself saying ${phrases.map((phrase) => `“${phrase}”`).join(' or ')}.`;
}

/** Lists the noticeable ones, the strongest first; equally strong ones by their text, so that the order is fixed. */
function audible(quirks: readonly Quirk[], of: Quirk['kind']): string[] {
  const sorted = quirks
    .filter(({ kind, strength }) => kind === of && strength >= AUDIBLE_QUIRK)
    .sort((one, other) => other.strength - one.strength || (one.text < other.text ? -1 : 1));
  // A channel may have a quirk that also shows everywhere.
  return [...new Set(sorted.map(({ text }) => text))];
}

/** British, for a list without a comma before its "and". */
const LIST = new Intl.ListFormat('en-GB');

/** Compares a mood with the companion's usual one, in words. */
function comparedToUsual(felt: Pad, baseline: Pad): string {
  const differences = [
    wordFor(felt.p - baseline.p, 'brighter', 'lower'),
    wordFor(felt.a - baseline.a, 'livelier', 'calmer'),
    wordFor(felt.d - baseline.d, 'surer of myself', 'less sure of myself'),
  ].filter((word) => word !== null);
  if (differences.length === 0) return 'as I usually am';
  return `${LIST.format(differences)} than usual`;
}

function wordFor(difference: number, more: string, less: string): string | null {
  if (Math.abs(difference) < NOTICEABLE) return null;
  return difference > 0 ? more : less;
}

const STAGE_LINES: Readonly<Record<Stage, string>> = {
  stranger: 'We have only just met',
  acquaintance: 'We are getting to know each other',
  friend: "We're friends by now",
  'close-friend': "We're close friends, with a lot of talk behind us",
};

/** Familiarity at which even plain talk has made friends: where it has not, there were harsh words. */
const LONG_KNOWN = 0.75;

/** Says in a line where the two stand. */
function bondLine({ interactions, familiarity, stage, strained, affection, trust }: Bond): string {
  if (interactions === 0) return "We haven't talked before.";
  if (strained) return "There's tension between us. I stay civil, don't tease, and don't dig it up again.";
  const fond = leaning(affection, "and I'm fond of them", 'and it has been prickly between us');
  const trusting = leaning(trust, 'They trust me with things', "I'm a little on my guard");
  const isDistant = familiarity >= LONG_KNOWN && (stage === 'stranger' || stage === 'acquaintance');
  const standing = isDistant ? "We've talked a lot without growing close" : STAGE_LINES[stage];
  return `${[standing, fond].filter(Boolean).join(', ')}.${trusting ? ` ${trusting}.` : ''}`;
}

/** Chooses words for the ends of a scale in [0, 1]; its middle says nothing. */
function leaning(value: number, high: string, low: string): string {
  if (value >= 0.6) return high;
  return value <= 0.4 ? low : '';
}
