import { firstOf, present, type ReadTurn } from '@kith/contracts';
import { uuid7, type ForgetRecordModel } from '@kith/database';
import type { ToIndex } from '../index/index-writer.js';
import { isForgotten, type ForgottenTime } from '../rows/forgotten-time.js';
import type { MemoryRow } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import { decideWrite, shelfFor } from '../words/decide-write.js';
import { draftEpisodes, type MemoryDraft } from './draft-episodes.js';

/** Messages that a memory names: one that is said daily names the latest, which are enough to forget it by. */
export const MAX_SOURCES = 200;

export type Draft = MemoryDraft & { turn: ReadTurn };

/** Turns of one person with one companion for one audience. */
export interface EpisodePlace extends MemoryScope {
  turns: ReadTurn[];
  drafts: Draft[];
}

/** The part of an order to forget that decides what may be stored. */
export type Refusal = ForgottenTime & Pick<ForgetRecordModel, 'sources' | 'everything' | 'revision'>;

/** A row of any kind with the words of a draft: a place holds the same words once. */
export type Twin = Pick<MemoryRow, 'id' | 'contentHash' | 'saidAt' | 'sources' | 'shelf' | 'kind' | 'writer'>;

/** An episode with the messages it names. */
export type KeptEpisode = Pick<MemoryRow, 'contentHash' | 'sources'>;

/** State of a place that decides which of its drafts are stored. */
export interface KnownOfPlace {
  /** Ids of turns that were not handled before. */
  newTurns: ReadonlySet<string>;
  refusals: readonly Refusal[];
  isPrivate: (at: Date) => boolean;
  keptToday: number;
  twins: readonly Twin[];
  /** Episodes that name one of the messages already, where the turns are remembered again; else none. */
  kept: readonly KeptEpisode[];
}

/** An episode as it is inserted. */
export type NewEpisode = ToIndex &
  Pick<MemoryRow, 'contentHash' | 'importance' | 'sources' | 'turnId' | 'speaker'> &
  Pick<MemoryRow, 'shelf' | 'shelfReason' | 'indexedIn'>;

/** A decision about a place's drafts. */
export interface EpisodePlan extends MemoryScope {
  fresh: NewEpisode[];
  /** Drafts that add a source to an existing row. */
  again: { twin: Twin; draft: Draft }[];
  /** True where existing rows may lack a point in the index. */
  mayLackMore: boolean;
}

/**
 * Groups turns by place, ordered by person: people are always locked in this order, so that no two jobs wait for each
 * other.
 */
export function placesOf(turns: readonly ReadTurn[]): EpisodePlace[] {
  const byPlace = Map.groupBy(turns, (turn) => [turn.personId, turn.companionId, turn.audience].join(' '));
  return [...byPlace]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, own]) => {
      const { personId, companionId, audience } = firstOf(own);
      const drafts = own.flatMap((turn) => draftEpisodes(turn).map((draft): Draft => ({ ...draft, turn })));
      return { personId, companionId, audience, turns: own, drafts };
    });
}

/**
 * Decides which drafts are stored: new ones become rows and known ones add a source. Leaves out what was forgotten,
 * said in private, or corrected since. Pure but for new ids.
 * @param indexedIn space in which the new rows' points are written with them; null where they are written later
 */
export function planEpisodes(
  places: readonly EpisodePlace[],
  known: readonly KnownOfPlace[],
  indexedIn: string | null,
): EpisodePlan[] {
  const keptToday = new Map<string, number>();
  return places.map(({ personId, companionId, audience, drafts }, at) => {
    const { newTurns, refusals, isPrivate, twins, kept, ...before } = present(known[at]);
    const ofNewTurns = drafts.filter(({ turn }) => newTurns.has(turn.turnId));
    const allowed = withoutPrivate(isPrivate, withoutForgotten(refusals, ofNewTurns));
    const wanted = mergeTwins(withoutReplaced(kept, allowed));
    const twinOf = ({ contentHash }: Draft) => twins.find((row) => row.contentHash === contentHash);
    const again = wanted.flatMap((draft) => {
      const twin = twinOf(draft);
      return twin ? { twin, draft } : [];
    });
    let count = keptToday.get(personId) ?? before.keptToday;
    const fresh = wanted
      .filter((draft) => !twinOf(draft))
      .map(({ turn, revision: _, ...draft }): NewEpisode => {
        const place = shelfFor(decideWrite(draft.text, count));
        count += 1;
        return {
          ...draft,
          ...place,
          id: uuid7(),
          personId,
          companionId,
          audience,
          turnId: turn.turnId,
          conversation: turn.conversationId,
          speaker: turn.displayName,
          indexedIn: place.shelf === 'open' ? indexedIn : null,
        };
      });
    keptToday.set(personId, count);
    const isAnyBack = again.some(({ twin, draft }) => comesBack(twin, draft.saidAt));
    // Where points are written with the rows, turns that were handled before lack none.
    const isRetry = ofNewTurns.length < drafts.length && indexedIn === null;
    return { personId, companionId, audience, fresh, again, mayLackMore: isAnyBack || isRetry };
  });
}

/** Tells whether saying a memory again reopens it: it is archived, or was withdrawn and last said before this. */
export function comesBack({ shelf, saidAt }: Pick<Twin, 'shelf' | 'saidAt'>, at: Date): boolean {
  return shelf === 'archive' || (shelf === 'withdrawn' && at > saidAt);
}

/** Drops drafts that were forgotten, or edited, before this job stores them. */
function withoutForgotten(records: readonly Refusal[], drafts: Draft[]): Draft[] {
  const forgotten = new Set(
    records.filter(({ revision }) => revision === null).flatMap(({ sources }) => sources),
  );
  const changed = new Map<string, number>();
  for (const { sources, revision } of records) {
    for (const source of sources) changed.set(source, Math.max(changed.get(source) ?? 0, revision ?? 0));
  }
  return drafts.filter(({ sources, saidAt, revision, turn: { startedAt } }) => {
    const isAfter = !records.some((record) => isCleared(record, saidAt, startedAt));
    const isGone = (source: string) => forgotten.has(source) || (changed.get(source) ?? 0) > revision;
    return isAfter && !sources.some(isGone) && !records.some((record) => isForgotten(record, saidAt));
  });
}

/**
 * Tells whether an order for everything takes a line. Of a turn that began while the order was still to be carried out, it
 * takes what was said before it was given.
 */
function isCleared({ everything, saidTo, at }: Refusal, saidAt: Date, startedAt: string | undefined) {
  if (!everything || startedAt === undefined) return everything;
  const began = new Date(startedAt);
  return began <= at && (saidTo === null || began <= saidTo || saidAt <= saidTo);
}

/** Drops drafts from times that the person marked as private. */
function withoutPrivate(isPrivate: (at: Date) => boolean, drafts: Draft[]): Draft[] {
  // By the message or by its turn: the last message of a private time may have a turn that begins after it.
  return drafts.filter(
    ({ saidAt, turn }) => !isPrivate(saidAt) && !isPrivate(new Date(turn.startedAt ?? turn.endedAt)),
  );
}

/**
 * Drops drafts whose messages have a row with other words: their owner corrected it, or it was merged with a line that
 * says the same. An edited message has no such row, since everything derived from it was removed before.
 */
function withoutReplaced(kept: readonly KeptEpisode[], drafts: Draft[]): Draft[] {
  const isReplaced = (source: string) => {
    const said = new Set(
      drafts.filter(({ sources }) => sources.includes(source)).map((draft) => draft.contentHash),
    );
    return kept.some(({ contentHash, sources }) => sources.includes(source) && !said.has(contentHash));
  };
  return kept.length === 0 ? drafts : drafts.filter(({ sources }) => !sources.every(isReplaced));
}

/** Merges drafts with the same words into one, with the latest time. */
function mergeTwins(drafts: readonly Draft[]): Draft[] {
  const byHash = Map.groupBy(drafts, ({ contentHash }) => contentHash);
  return [...byHash.values()].map((same) => ({
    ...same.reduce((a, b) => (a.saidAt < b.saidAt ? b : a)),
    sources: [...new Set(same.flatMap(({ sources }) => sources))].slice(-MAX_SOURCES),
  }));
}
