import type { NeedName, NeedView } from '@kith/contracts';

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

/** Words the most pressing need as a wish; null when none presses. */
export function wishLine([need]: readonly NeedView[]): string | null {
  return need && need.urgency >= WORTH_SAYING ? WISHES[need.need] : null;
}
