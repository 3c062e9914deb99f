import { firstOf, present, type ReadTurn } from '@kith/contracts';
import { uuid7 } from '@kith/database';
import type { ToIndex } from '../index/index-writer.js';
import { isForgotten, type ForgottenTime } from '../rows/forgotten-time.js';
import type { MemoryRow } from '../rows/memory-row.js';
import type { MemoryScope } from '../rows/memory-scope.js';
import { decideWrite, shelfFor } from '../words/decide-write.js';
import { draftEpisodes, type MemoryDraft } from './draft-episodes.js';

/** Sources of a memory: what is said daily keeps its latest ones, enough to undo without growing for ever. */
export const MAX_SOURCES = 200;

export type Draft = MemoryDraft & { turn: ReadTurn };

/** Turns of one person with one companion before one audience. */
export interface Place extends MemoryScope {
  turns: ReadTurn[];
  drafts: Draft[];
}

/** An order to forget, as far as it concerns what is to be kept. */
export interface Refusal extends ForgottenTime {
  sources: string[];
  everything: boolean;
  revision: number | null;
}

/** A row with the words of a draft, of whatever kind: a place holds the same words once. */
export type Twin = Pick<MemoryRow, 'id' | 'contentHash' | 'saidAt' | 'sources' | 'shelf' | 'kind' | 'writer'>;

/** An episode of the person's that names messages. */
export type Kept = Pick<MemoryRow, 'contentHash' | 'sources'>;

/** Facts about a place that decide what of it is kept. */
export interface KnownOfPlace {
  /** Ids of turns that were not handled before. */
  newTurns: ReadonlySet<string>;
  refusals: readonly Refusal[];
  isPrivate: (at: Date) => boolean;
  keptToday: number;
  twins: readonly Twin[];
  /** Episodes that name one of the messages already, where these are read again; else none. */
  kept: readonly Kept[];
}

/** An episode as it is inserted. */
export interface NewEpisode extends ToIndex {
  contentHash: string;
  importance: number;
  sources: string[];
  turnId: string;
  speaker: string;
  shelf: string;
  shelfReason: string | null;
  indexedIn: string | null;
}

/** A decision about a place's drafts. */
export interface EpisodePlan extends MemoryScope {
  fresh: NewEpisode[];
  /** Drafts that were said before, and add a source to their row. */
  again: { twin: Twin; draft: Draft }[];
  /** Rows that were kept before may not be in the index. */
  mayLackMore: boolean;
}

/** Groups turns by place, in the order of their people: whoever locks several people locks them in this order. */
export function placesOf(turns: readonly ReadTurn[]): Place[] {
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
 * Decides which drafts are kept: new ones become rows, known ones add a source, and what was forgotten, said in private
 * or has been put in other words since is left out. Pure but for new ids.
 * @param indexedIn the space in which the new rows' points are written along with them; null where they are not
 */
export function planEpisodes(
  places: readonly Place[],
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
      .map(({ turn, text, contentHash, importance, saidAt, sources }): NewEpisode => {
        const { shelf, shelfReason } = shelfFor(decideWrite(text, count));
        count += 1;
        return {
          ...{ id: uuid7(), personId, companionId, audience, text, contentHash, importance, saidAt, sources },
          ...{ turnId: turn.turnId, conversation: turn.conversationId, speaker: turn.displayName },
          ...{ shelf, shelfReason, indexedIn: shelf === 'open' ? indexedIn : null },
        };
      });
    keptToday.set(personId, count);
    const isAnyBack = again.some(({ twin, draft }) => comesBack(twin, draft.saidAt));
    // Turns that were handled before have all their points where points are written with the rows.
    const isRetry = ofNewTurns.length < drafts.length && indexedIn === null;
    return { personId, companionId, audience, fresh, again, mayLackMore: isAnyBack || isRetry };
  });
}

/** Tells whether saying a memory again reopens it: it was archived, or withdrawn before this was said. */
export function comesBack({ shelf, saidAt }: Pick<Twin, 'shelf' | 'saidAt'>, at: Date): boolean {
  return shelf === 'archive' || (shelf === 'withdrawn' && at > saidAt);
}

/** Drops drafts that the person had forgotten before this job stored them, and words that were edited meanwhile. */
function withoutForgotten(records: readonly Refusal[], drafts: Draft[]): Draft[] {
  const forgotten = new Set(
    records.filter(({ revision }) => revision === null).flatMap(({ sources }) => sources),
  );
  const changed = new Map<string, number>();
  for (const { sources, revision } of records) {
    for (const source of sources) changed.set(source, Math.max(changed.get(source) ?? 0, revision ?? 0));
  }
  const clearedAt = Math.max(...records.map(({ everything, at }) => (everything ? at.getTime() : -Infinity)));
  return drafts.filter(({ sources, saidAt, revision, turn: { startedAt } }) => {
    const isAfter = startedAt === undefined ? clearedAt === -Infinity : Date.parse(startedAt) > clearedAt;
    const isGone = (source: string) => forgotten.has(source) || (changed.get(source) ?? 0) > revision;
    return isAfter && !sources.some(isGone) && !records.some((record) => isForgotten(record, saidAt));
  });
}

/** Drops drafts that were said while the person did not want to be remembered. */
function withoutPrivate(isPrivate: (at: Date) => boolean, drafts: Draft[]): Draft[] {
  // Said then, or answered then: what is said last before the end may begin its turn after it.
  return drafts.filter(
    ({ saidAt, turn }) => !isPrivate(saidAt) && !isPrivate(new Date(turn.startedAt ?? turn.endedAt)),
  );
}

/**
 * Drops drafts whose messages stand in other words by now: their owner has corrected these, or they were merged with a
 * line that says the same. An edited message has no such row: all that was made of it is removed before it is read again.
 */
function withoutReplaced(kept: readonly Kept[], drafts: Draft[]): Draft[] {
  const isReplaced = (source: string) => {
    const said = new Set(
      drafts.filter(({ sources }) => sources.includes(source)).map((draft) => draft.contentHash),
    );
    return kept.some(({ contentHash, sources }) => sources.includes(source) && !said.has(contentHash));
  };
  return kept.length === 0 ? drafts : drafts.filter(({ sources }) => !sources.every(isReplaced));
}

/** Merges drafts with the same words into one, of when they were said last. */
function mergeTwins(drafts: readonly Draft[]): Draft[] {
  const byHash = Map.groupBy(drafts, ({ contentHash }) => contentHash);
  return [...byHash.values()].map((same) => ({
    ...same.reduce((a, b) => (a.saidAt < b.saidAt ? b : a)),
    sources: [...new Set(same.flatMap(({ sources }) => sources))].slice(-MAX_SOURCES),
  }));
}
