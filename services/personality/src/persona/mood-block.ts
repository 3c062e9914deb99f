import type { NeedView, Pad } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import type { Persona } from '@kith/characters';
import type { Quirk } from './quirk.js';
import type { Bond } from '../affect/bond/bond.js';
import { describeMood } from '../affect/mood/describe-mood.js';
import { styleKnobs } from './style-knobs.js';
import { bondLine } from './bond-line.js';
import { interestLine, phraseLine } from './quirk-lines.js';
import { comparedToUsual } from './compared-to-usual.js';
import { wishLine } from './wish-line.js';

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
export function moodBlock({
  felt,
  baseline,
  bond,
  persona,
  needs,
  quirks,
  selfNote,
}: MoodBlockInput): string {
  const { label, strength } = describeMood(felt);
  const knobs = styleKnobs(felt, baseline, bond, persona);
  const opening = [
    '<mood>',
    `I'm ${strength} ${label} right now, ${comparedToUsual(felt, baseline)}.`,
    bondLine(bond),
  ];
  const closing = [
    `Style: length ${knobs.length}; warmth ${knobs.warmth}; playfulness ${knobs.playfulness}; initiative ${knobs.initiative}; address ${knobs.address}; emoji ${knobs.emoji}.`,
    "It shows in how I write; I don't bring it up unless I'm asked, and I never make it the other one's task.",
    '</mood>',
  ];
  const between = [noteLine(selfNote), wishLine(needs), interestLine(quirks), phraseLine(quirks)].filter(
    (line) => line !== null,
  );
  const withFirst = (count: number) => [...opening, ...between.slice(0, count), ...closing].join('\n');
  const fits = (count: number) => estimateTokens(withFirst(count)) <= MAX_MOOD_TOKENS;
  return withFirst([4, 3, 2, 1].find(fits) ?? 0);
}

function noteLine(selfNote: string | null): string | null {
  return selfNote === null ? null : `My note on the day before: ${selfNote}`;
}
