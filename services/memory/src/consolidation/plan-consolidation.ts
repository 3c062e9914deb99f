import { typedWords } from '@kith/contracts';
import { type Episode, type Merge, latestInOrder, groupSame, fullest, mergeOf } from './group-same.js';
import { planReflection, type ReflectionPlan } from './plan-reflection.js';

/** Repetitions of a day, and its reflections. */
export interface ConsolidationPlan {
  merges: Merge[];
  reflections: ReflectionPlan[];
}

/** Statements from which on a day gets a reflection. */
const MIN_EPISODES_TO_REFLECT = 3;

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
    if (typed.length >= MIN_EPISODES_TO_REFLECT) plan.reflections.push(planReflection(audience, typed));
  }
  return plan;
}
