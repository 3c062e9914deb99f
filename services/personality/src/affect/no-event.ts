import type { Appraisal } from './appraisal.js';

/** An event that means nothing to anybody: readings set their variables on top of it. */
export const NO_EVENT: Appraisal = {
  desirability: 0,
  likelihood: 0,
  praiseworthiness: 0,
  appealingness: 0,
  target: 'self',
  prospect: 'none',
  causedBy: 'circumstances',
};
