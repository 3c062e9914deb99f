import type { Clause } from '@kith/reading';
import type { OpenProspects, Prospect } from '../../affect/prospect.js';
import { findProspect } from './find-prospect.js';
import type { Hit } from './hit.js';
import { READINGS } from './rules-lexicon.js';
import { type Reading, ENDINGS, EARLIER_ENDINGS } from './endings.js';

/** Words that put a prospect into the past: what is told next is how it ended. */
const PAST = new Set('was were had been hoped feared dreaded worried'.split(' '));

/** Longer clauses with "it happened" speak of something else than what was told before. */
const MAX_BRIEF = 5;

/** The readings of a turn, and the number of the open prospect whose outcome it tells. */
export interface Endings {
  read: Reading[];
  settles: number | null;
}

/**
 * Puts prospects and their outcomes together, first within the turn, then with those of earlier turns, unless this one
 * still hopes or fears. "It happened" means nothing without a prospect; a cancelled thing was hoped for, where nothing
 * else is known of it.
 */
export function readEndings(
  text: string,
  clauses: readonly Clause[],
  hits: readonly Hit[][],
  ahead: OpenProspects,
): Endings {
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
