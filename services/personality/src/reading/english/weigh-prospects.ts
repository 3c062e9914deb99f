import { textForRules } from '@kith/reading';
import type { Appraisal } from '../../affect/appraisal.js';
import type { NewProspect, Prospect, ReadEvent } from '../../affect/prospect.js';
import { isSameThing } from './prospect-words.js';
import { toldIn } from './told-in.js';

/** A turn's events, held against the prospects that were open before it. */
export interface WeighedTurn {
  appraisals: Appraisal[];
  /** The prospect behind each of the appraisals that settle one. */
  settled: ReadonlyMap<Appraisal, Prospect>;
  /** Every prospect that is over: those that were settled, and others about the same thing. */
  closed: string[];
  told: NewProspect[];
}

/**
 * An outcome contrary to what was expected weighs in full, one that was sure by this much less: OCC's unexpectedness.
 */
const EXPECTED_LESS = 0.2;

/**
 * Weighs a turn's events against the prospects that were open before it: an event that settles one becomes its
 * outcome, with the stake of then, and new hopes and fears are kept.
 */
export function weighProspects(
  texts: readonly string[],
  events: readonly ReadEvent[],
  open: readonly Prospect[],
): WeighedTurn {
  const settled = new Map<Appraisal, Prospect>();
  const appraisals = events.map((event) => {
    const prospect = event.settles === undefined ? undefined : open[event.settles - 1];
    const outcome = prospect && outcomeOf(event, prospect);
    if (prospect && outcome) settled.set(outcome, prospect);
    return outcome ?? variablesOf(event);
  });
  const over = [...settled.values()];
  const closed = open.filter((one) =>
    over.some((other) => one === other || isSameThing(one.about, other.about)),
  );
  const known = open.filter((prospect) => !closed.includes(prospect));
  const said = texts.map((text) => textForRules(text));
  return { appraisals, settled, closed: closed.map(({ id }) => id), told: toldIn(said, events, known) };
}

/** Makes of an event the outcome of a prospect; null where it is still ahead, or neither good nor bad. */
function outcomeOf(event: ReadEvent, { kind, desirability, likelihood }: Prospect): Appraisal | null {
  if (event.prospect === 'hoped' || event.prospect === 'feared') return null;
  if (event.desirability === 0) return null;
  const isHoped = kind === 'hoped';
  const isSo =
    event.prospect === 'none' ? event.desirability > 0 === isHoped : event.prospect === 'confirmed';
  const chance = (1 + likelihood) / 2;
  const expected = isSo ? chance : 1 - chance;
  const stake =
    Math.max(Math.abs(event.desirability), Math.abs(desirability)) * (1 - EXPECTED_LESS * expected);
  return {
    ...variablesOf(event),
    ...(event.target === 'object' && { target: 'other', appealingness: GOODWILL }),
    prospect: isSo ? 'confirmed' : 'disconfirmed',
    desirability: isHoped ? stake : -stake,
    likelihood,
  };
}

/** Goodwill towards the person who tells of an outcome, as in the rules' `THEIRS`. */
const GOODWILL = 0.6;

function variablesOf({ settles: _settles, about: _about, ...variables }: ReadEvent): Appraisal {
  return variables;
}
