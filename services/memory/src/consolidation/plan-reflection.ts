import { type Episode, fullest, mergeOf } from './group-same.js';

/** Statements that a reflection quotes: it is read in a prompt beside others. */
const MAX_STATEMENTS = 6;

/** A day's reflection for one audience, before it is written. */
export interface ReflectionPlan {
  audience: string;
  /** The day's most important statements, in the order they were said. */
  statements: { text: string; saidAt: Date }[];
  sources: string[];
  importance: number;
}

/** Plans what an audience's reflection quotes of groups of statements that say the same. Pure. */
export function planReflection(audience: string, groups: Episode[][]): ReflectionPlan {
  const weighed = groups
    .map((group) => ({
      said: fullest(group),
      sources: group.flatMap(({ sources }) => sources),
      weight: mergeOf(group).importance,
    }))
    .sort((a, b) => b.weight - a.weight)
    .slice(0, MAX_STATEMENTS);
  return {
    audience,
    statements: weighed
      .map(({ said }) => ({ text: said.text, saidAt: said.saidAt }))
      .sort((a, b) => a.saidAt.getTime() - b.saidAt.getTime()),
    sources: [...new Set(weighed.flatMap(({ sources }) => sources))].sort(),
    importance: weighed.reduce((sum, { weight }) => sum + weight, 0) / weighed.length,
  };
}
