import { z } from 'zod';

const Unit = z.number().min(-1).max(1);

/** One event as the companion reads it: the variables of Ortony, Clore and Collins (1988). */
export const Appraisal = z.object({
  /** Value of the event's outcome for the one it concerns; 0 when the event has none worth a feeling. */
  desirability: Unit,
  /** Likelihood of a prospect: -1 will not happen, 1 surely will. Of no weight without a prospect ahead. */
  likelihood: Unit,
  /** Rightness of the deed of the one who caused it; 0 when it is no question of right. */
  praiseworthiness: Unit,
  /** Target `object`: how appealing it is. Target `other`: how well the companion wishes them. */
  appealingness: Unit,
  /** The one concerned: the companion, the person it talks with, or a thing. */
  target: z.enum(['self', 'other', 'object']),
  /** `none`: no prospect. `hoped`, `feared`: it may come. `confirmed`, `disconfirmed`: it came, or did not come. */
  prospect: z.enum(['none', 'hoped', 'feared', 'confirmed', 'disconfirmed']),
  /** The one whose deed it was. */
  causedBy: z.enum(['self', 'other', 'circumstances']),
});
export type Appraisal = z.infer<typeof Appraisal>;
