import { wordSet } from '@kith/reading';
import type { Clause } from '@kith/reading';
import type { OpenProspects, Prospect } from '../../affect/prospect.js';
import { READINGS } from './rules-lexicon.js';
import { type Reading, ENDINGS, EARLIER_ENDINGS, type Hit } from './endings.js';
import { DAY_MS } from '@kith/contracts/durations';
import { isSameThing, stems, subjectOf, tellingWords, TOPICS } from './prospect-words.js';

/** Words that put a prospect into the past: what is told next is how it ended. */
const PAST = wordSet('was were had been hoped feared dreaded worried');

/** Longer clauses with "it happened" speak of something else than what was told before. */
const MAX_BRIEF = 5;

/**
 * Puts prospects and their outcomes together, first within the turn, then with those of earlier turns, unless this one
 * still hopes or fears. "It happened" means nothing without a prospect; a cancelled thing was hoped for, where nothing
 * else is known of it. Returns the turn's readings, and the number of the open prospect whose outcome it tells.
 */
export function readEndings(
  text: string,
  clauses: readonly Clause[],
  hits: readonly Hit[][],
  ahead: OpenProspects,
) {
  const placed = hits.flatMap((inClause, place) => inClause.map((hit) => ({ ...hit, place })));
  settleWithin(clauses, placed);
  const isAhead = placed.some((hit) => isProspect(hit) && hit.strength > 0);
  const settles = isAhead ? null : findProspect(text, ahead);
  const earlier = settles === null ? undefined : ahead.open[settles - 1];
  if (earlier) settleEarlier(clauses, placed, earlier);
  const read = placed.map(({ kind, strength }) => ({
    strength,
    kind: kind === 'cancelled' ? 'let-down' : kind,
  }));
  return { read: read.filter(isReading), settles };
}

interface PlacedHit extends Hit {
  /** The place of its clause. */
  place: number;
}

/**
 * "I was scared of the exam but it went fine" is relief, and neither fear nor good news alone. Only what the person
 * speaks of as past is settled by what follows it.
 */
function settleWithin(clauses: readonly Clause[], hits: readonly PlacedHit[]): void {
  for (const prospect of hits) {
    if (!isProspect(prospect)) continue;
    const endings = ENDINGS[prospect.kind];
    if (!clauses[prospect.place]?.words.some((word) => PAST.has(word))) continue;
    for (const outcome of hits.filter(({ place }) => place >= prospect.place)) {
      const ending = endings[outcome.kind];
      if (ending === undefined) continue;
      outcome.kind = ending;
      outcome.strength = Math.max(outcome.strength, prospect.strength);
      prospect.strength = 0;
    }
  }
}

function settleEarlier(clauses: readonly Clause[], hits: readonly PlacedHit[], { kind }: Prospect): void {
  const endings = EARLIER_ENDINGS[kind === 'hoped' ? 'hope' : 'fear'];
  for (const outcome of hits) {
    const { words = [], asks = false } = clauses[outcome.place] ?? {};
    const isVague = outcome.kind === 'happened' || outcome.kind === 'called-off';
    if (isVague && (asks || words.length > MAX_BRIEF)) continue;
    outcome.kind = endings[outcome.kind] ?? outcome.kind;
  }
}

function isProspect<Of extends Hit>(hit: Of): hit is Of & { kind: 'hope' | 'fear' } {
  return hit.kind === 'hope' || hit.kind === 'fear';
}

function isReading(hit: Hit): hit is Reading {
  return hit.kind in READINGS && hit.strength > 0;
}

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
