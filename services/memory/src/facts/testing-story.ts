import { readByRules } from './read-by-rules.js';
import { reconcileFact, type Fact } from './reconcile-fact.js';

/** A story of what somebody said over time, in the order it was read, with what is true in the end. */
export interface Story {
  kind: string;
  /** Day and words, and what the companion had asked before them. */
  lines: [day: string, text: string, before?: string][];
  /** Attributes with their values in the end; null for none. */
  now: Record<string, string | null>;
  /** Values that were true before, and are dated. */
  past?: Record<string, string[]>;
  /** `model`: what happened is implied; no rule can be expected to see it. */
  needs?: 'model';
}

/** Tells the story to the rules, a line at a time. Returns every fact that was ever known. */
export function playStory({ lines }: Story): Fact[] {
  const known = new Map<string, Fact>();
  let made = 0;
  lines.forEach(([day, text, before], line) => {
    for (const statement of readByRules({ text, before })) {
      const said = { ...statement, at: new Date(`${day}T12:00:00Z`), sources: [`line-${line}`] };
      for (const fact of reconcileFact([...known.values()], said, () => `fact-${made++}`))
        known.set(fact.id, fact);
    }
  });
  return [...known.values()];
}

/** Lists what a story's facts should be and are not; empty when all are right. */
export function judgeStory({ now, past = {} }: Story, facts: readonly Fact[]): string[] {
  const problems: string[] = [];
  for (const [attribute, wanted] of Object.entries(now)) {
    const current = facts.filter((fact) => fact.attribute === attribute && fact.validTo === null);
    const is = current.map(({ value }) => value).join(' and ') || null;
    if (is?.toLowerCase() !== wanted?.toLowerCase()) problems.push(`${attribute} is ${is}, not ${wanted}`);
  }
  for (const [attribute, values] of Object.entries(past)) {
    for (const value of values) {
      const isDated = facts.some(
        (fact) =>
          fact.attribute === attribute &&
          fact.value.toLowerCase() === value.toLowerCase() &&
          fact.validTo !== null,
      );
      if (!isDated) problems.push(`${attribute} ${value} is not dated`);
    }
  }
  return problems;
}
