import type { NeedName, NeedView } from '@kith/contracts';

/**
 * Urgency from which a need presses enough to write for it. A need that is wholly unmet is as urgent as its weight, by
 * default 0.5 or 0.6. Novelty, belonging and play of such a weight press after nine days to two weeks without, and those
 * of a lively companion after half a week.
 */
const PRESSING = 0.45;

/**
 * Wishes for a talk, by the need that talk meets. Rest and autonomy are not among them: writing meets neither. None of
 * them says that anybody was missed.
 */
const LIKED: Partial<Record<NeedName, string>> = {
  belonging: 'catching up with them',
  care: 'how they are doing',
  novelty: 'hearing of something new',
  play: 'some playful talk',
  competence: 'something to be of use with',
};

/** Chooses the most urgent of a companion's needs that a talk would meet, in words; null while none presses. */
export function chooseNeed(needs: readonly NeedView[]): { need: NeedName; about: string } | null {
  const [first] = needs
    .flatMap(({ need, urgency }) => {
      const about = LIKED[need];
      return about !== undefined && urgency >= PRESSING ? [{ need, about, urgency }] : [];
    })
    .toSorted((one, other) => other.urgency - one.urgency);
  return first ? { need: first.need, about: first.about } : null;
}
