import type { Clause } from '@kith/reading';
import type { Ahead, Prospect } from '../../affect/prospect.js';
import { findProspect } from './find-prospect.js';
import type { Hit } from './read-events.js';
import { type CueKind, type ReadingKind, READINGS } from './rules-lexicon.js';

/** Words that put a prospect into the past: what is told next is how it ended. */
const PAST = new Set('was were had been hoped feared dreaded worried'.split(' '));

/** A hit that is a reading by itself. */
export interface Reading extends Hit {
  kind: ReadingKind;
}

/** The reading of a prospect with its outcome. "It happened" is good or bad as the prospect was. */
const ENDINGS: Readonly<Record<'hope' | 'fear', Partial<Record<CueKind, ReadingKind>>>> = {
  hope: {
    'good-news': 'fulfilled',
    'likes-thing': 'fulfilled',
    happened: 'fulfilled',
    'bad-news': 'let-down',
    'dislikes-thing': 'let-down',
    'called-off': 'let-down',
  },
  fear: {
    'good-news': 'relief',
    'likes-thing': 'relief',
    'called-off': 'relief',
    cancelled: 'relief',
    'bad-news': 'come-true',
    'let-down': 'come-true',
    happened: 'come-true',
  },
};

/** The same for a prospect of an earlier turn: it counts as what it was then, however this turn tells it. */
const EARLIER_ENDINGS: typeof ENDINGS = {
  hope: { ...ENDINGS.hope, relief: 'fulfilled', 'come-true': 'let-down' },
  fear: { ...ENDINGS.fear, fulfilled: 'relief' },
};

/** Readings that tell how something ended. */
export const OUTCOMES: ReadonlySet<ReadingKind> = new Set(['fulfilled', 'let-down', 'relief', 'come-true']);

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
  texts: readonly string[],
  clauses: readonly Clause[],
  hits: readonly Hit[][],
  ahead: Ahead,
): Endings {
  const placed = hits.flatMap((inClause, place) => inClause.map((hit) => ({ ...hit, place })));
  settleWithin(clauses, placed);
  const isAhead = placed.some((hit) => isProspect(hit) && hit.strength > 0);
  const settles = isAhead ? null : findProspect(texts, ahead);
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
