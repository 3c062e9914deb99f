import type { Pad } from '@kith/contracts';
import fc from 'fast-check';
import type { Appraisal } from '../affect/appraisal.js';

const unit = fc.double({ min: -1, max: 1, noNaN: true });

/** Any point of the mood's space. */
export const anyPad: fc.Arbitrary<Pad> = fc.record({ p: unit, a: unit, d: unit });

/** Any reading of an event. */
export const anyAppraisal: fc.Arbitrary<Appraisal> = fc.record({
  desirability: unit,
  likelihood: unit,
  praiseworthiness: unit,
  appealingness: unit,
  target: fc.constantFrom('self', 'other', 'object'),
  prospect: fc.constantFrom('none', 'hoped', 'feared', 'confirmed', 'disconfirmed'),
  causedBy: fc.constantFrom('self', 'other', 'circumstances'),
});
