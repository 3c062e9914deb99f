import { typedWords } from '@kith/contracts';
import { type Episode, type Merge, latestInOrder, groupSame, fullest, mergeOf } from './group-same.js';

/** A day's reflection for one audience, before it is written. */
export interface ReflectionPlan {
  audience: string;
  /** The day's most important statements, in the order they were said. */
  statements: { text: string; saidAt: Date }[];
  sources: string[];
  importance: number;
}

/** Repetitions of a day, and its reflections. */
export interface ConsolidationPlan {
  merges: Merge[];
  reflections: ReflectionPlan[];
}
/** Statements from which on a day gets a reflection. */
const MIN_EPISODES_TO_REFLECT = 3;
/** Statements that a reflection quotes: it is read in a prompt beside others. */
const MAX_STATEMENTS = 6;

/**
 * Plans the consolidation of a person's day with a companion. Audiences are never mixed: a merged memory or a
 * reflection is heard by exactly those who could hear its sources. Pure. Works in small parts, between which the process
 * goes on answering.
 * @param day the time that is reflected on; what was said outside of it, as of an import, is only merged
 */
export async function planConsolidation(
  episodes: Episode[],
  day: { from: Date; to: Date } | null = null,
): Promise<ConsolidationPlan> {
  const plan: ConsolidationPlan = { merges: [], reflections: [] };
  const told = latestInOrder(episodes);
  for (const audience of new Set(told.map((episode) => episode.audience))) {
    const groups = await groupSame(told.filter((episode) => episode.audience === audience));
    for (const group of groups) if (group.length > 1) plan.merges.push(mergeOf(group));
    // What somebody forwards or sends is not what they say.
    const typed = groups.filter((group) => {
      const { saidAt } = mergeOf(group);
      const isOfDay = !day || (saidAt >= day.from && saidAt < day.to);
      return isOfDay && typedWords(fullest(group).text) !== '';
    });
    if (typed.length >= MIN_EPISODES_TO_REFLECT) plan.reflections.push(reflectOn(audience, typed));
  }
  return plan;
}

function reflectOn(audience: string, groups: Episode[][]): ReflectionPlan {
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
