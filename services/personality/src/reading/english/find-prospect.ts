import { DAY_MS } from '@kith/contracts/durations';
import type { OpenProspects } from '../../affect/prospect.js';
import { isSameThing, stems, subjectOf, tellingWords, TOPICS } from './prospect-words.js';

/** "I passed!" names nothing: within two weeks it is about the one thing that was ahead. */
const UNNAMED_WITHIN_MS = 14 * DAY_MS;

/**
 * Finds the open prospect that these words are about, by its number from 1 on: the one that shares most of its telling
 * words with them, or its kind of undertaking; or, where they name nothing, the only one told lately.
 */
export function findProspect(text: string, { open, at }: OpenProspects): number | null {
  const telling = tellingWords(text);
  const told = stems(text);
  const scores = open.map(({ about }) => kinship(telling, told, about));
  const best = Math.max(0, ...scores);
  if (best > 0) return scores.lastIndexOf(best) + 1;
  if ([...telling].some((word) => !TOPICS.some((topic) => topic.has(word)))) return null;
  const recent = open.filter(({ since }) => at - since <= UNNAMED_WITHIN_MS);
  const [only] = recent;
  return only && recent.every(({ about }) => isSameThing(about, only.about)) ? open.indexOf(only) + 1 : null;
}

/** Scores how near words are to a prospect: a word in common weighs more than the kind of undertaking. */
function kinship(telling: ReadonlySet<string>, told: readonly string[], about: string): number {
  const shared = [...subjectOf(about)].filter((word) => telling.has(word)).length;
  const ahead = stems(about);
  const isOf = (words: readonly string[], topic: ReadonlySet<string>) =>
    words.some((word) => topic.has(word));
  return shared + (TOPICS.some((topic) => isOf(told, topic) && isOf(ahead, topic)) ? 0.5 : 0);
}
