import type { CueKind, ReadingKind } from './rules-lexicon.js';

/** A sign of a feeling in a clause, and its strength. */
export interface Hit {
  kind: CueKind;
  strength: number;
}

export interface Reading extends Hit {
  kind: ReadingKind;
}

/** The reading of a prospect with its outcome. "It happened" is good or bad as the prospect was. */
export const ENDINGS: Readonly<Record<'hope' | 'fear', Partial<Record<CueKind, ReadingKind>>>> = {
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

/**
 * Outcomes of a prospect of an earlier turn. It stays the hope or fear that it was: a hope whose end is told as a relief
 * was fulfilled.
 */
export const EARLIER_ENDINGS: typeof ENDINGS = {
  hope: { ...ENDINGS.hope, relief: 'fulfilled', 'come-true': 'let-down' },
  fear: { ...ENDINGS.fear, fulfilled: 'relief' },
};

/** Readings that tell how something ended. */
export const OUTCOMES: ReadonlySet<ReadingKind> = new Set(['fulfilled', 'let-down', 'relief', 'come-true']);
