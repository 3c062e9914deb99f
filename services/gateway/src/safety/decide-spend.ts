/** Tokens that models cost since midnight UTC. */
export interface Spent {
  all: number;
  person: number;
}

/** Tokens that may be spent in a day; 0 is no limit. */
export interface SpendLimits {
  perDay: number;
  perPersonAndDay: number;
}

/**
 * Decides whether a model may be asked for a person. `budget`: the suite's day is spent; `person-budget`: theirs is.
 */
export function decideSpend(spent: Spent, limits: SpendLimits): 'proceed' | 'budget' | 'person-budget' {
  if (limits.perDay > 0 && spent.all >= limits.perDay) return 'budget';
  if (limits.perPersonAndDay > 0 && spent.person >= limits.perPersonAndDay) return 'person-budget';
  return 'proceed';
}
