import { DAY_MS } from '@kith/contracts';
import { estimateTokens } from '@kith/llm';
import type { RecallRow } from '../rows/memory-row.js';
import type { Candidate, Ranked } from './memory-ranking.js';

/** Memories that are ranked where all occurrences are asked for: about what a year of talk holds of one thing. */
export const OCCURRENCES = 60;
/** Share of the best score below which a line is about something else. */
const MIN_SHARE = 0.1;

/**
 * Chooses all occurrences of what is asked, as far as they fit. For their number the best of all; for their order the
 * best of each day, then the second of each, so that one busy day does not push out the others. Near copies
 * are occurrences as well: nothing is left out for being like another. Pure.
 * @param excerptOf gives the text that is shown of a memory
 */
export function chooseOccurrences<C extends Candidate>(
  ranked: readonly Ranked<C>[],
  asks: 'order' | 'count',
  maxTokens: number,
  excerptOf: (candidate: C) => string,
): { candidate: C; text: string }[] {
  const best = ranked[0]?.why.score ?? 0;
  const found = ranked.filter(({ why }) => why.score >= best * MIN_SHARE);
  let left = maxTokens;
  return (asks === 'order' ? inRounds(found) : found).flatMap(({ candidate }) => {
    const text = excerptOf(candidate);
    const tokens = estimateTokens(text);
    if (tokens > left) return [];
    left -= tokens;
    return [{ candidate, text }];
  });
}

/** Says how often a line was said: the same words are kept once, with every message that had them. */
export function tellTimes({ kind, sources }: Pick<RecallRow, 'kind' | 'sources'>, text: string): string {
  return kind === 'episode' && sources.length > 1
    ? `${text} (said ${sources.length} times, last then)`
    : text;
}

function inRounds<R extends Ranked>(found: readonly R[]): R[] {
  const days = Map.groupBy(found, ({ candidate }) => Math.floor(candidate.saidAt.getTime() / DAY_MS));
  return [...days.values()]
    .flatMap((day) => day.map((entry, round) => ({ entry, round })))
    .sort((a, b) => a.round - b.round || b.entry.why.score - a.entry.why.score)
    .map(({ entry }) => entry);
}
