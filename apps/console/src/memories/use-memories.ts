import {
  type MemoryChange,
  type MemoryKind,
  memoryRoutes,
  type MemoryShelf,
  type MemoryView,
  type RecalledMemory,
  UNDO_MS,
} from '@kith/contracts';
import { useCallback, useMemo, useRef, useState } from 'react';
import { ApiError } from '../api/api-client.js';
import type { ReadList } from '../api/read-list.js';
import { useReadList } from '../api/use-read-list.js';
import { useEvery } from '../page/use-every.js';
import type { CompanionPageProps } from '../page/companion-page.js';
import { clock } from '../page/describe-date.js';
import type { UndoableForgetting, useLastForgotten } from './use-last-forgotten.js';

/** The API finds no more at once. The search knows no kind or shelf: what is of one is taken from all that it finds. */
export const MAX_FOUND = 100;
/** Most that are shown: what comes after them has little to do with the question. */
const SHOWN = 30;
/** Facts are read from talk some minutes after it: a page left open looks for what came a few times a minute. */
const COUNT_EVERY_MS = 20_000;

type Memory = MemoryView | RecalledMemory;

export interface MemoryFilter {
  /** Words to look for; empty shows all, the newest first. */
  query: string;
  kind: MemoryKind | null;
  shelf: MemoryShelf | null;
}

export interface MemoriesProps extends Omit<CompanionPageProps, 'now'> {
  last: ReturnType<typeof useLastForgotten>;
  /** Called when talk is forgotten, or a forget is undone. */
  onForgotten: () => void;
}

/** Makes a result of the failure of an order that is noted and goes on by itself. @throws any other failure */
function notedOf(error: unknown): Pick<UndoableForgetting, 'receipt' | 'lines'> {
  if (!(error instanceof ApiError) || error.receipt === undefined) throw error;
  return { receipt: error.receipt, lines: null };
}

/** Reads what a companion keeps of the person, or what a search finds among it. */
export function useMemories(
  { api, companionId: companion, name, talkChanges, last, onForgotten }: MemoriesProps,
  { query, kind, shelf }: MemoryFilter,
) {
  const { forgotten, setForgotten } = last;
  const filter = useMemo<MemoryFilter>(() => ({ query, kind, shelf }), [query, kind, shelf]);
  const [changes, setChanges] = useState(0);
  /** Number of those that may have forgotten words. */
  const [forgets, setForgets] = useState(0);
  /** Words on an undo that is done, or waits until all of Kith answers; null from what is done next. */
  const [noted, setNoted] = useState<string | null>(null);

  const readPage = useCallback(
    async (limit: number, cursor?: string): Promise<ReadList<Memory>> => {
      const { query: q, ...rest } = filter;
      const [kind, shelf] = [rest.kind ?? undefined, rest.shelf ?? undefined];
      if (q !== '') {
        const { memories, isFull } = await api.call(memoryRoutes.search, {
          query: { companion, q, kind, archive: true, limit: shelf === undefined ? SHOWN : MAX_FOUND },
        });
        const items = memories
          .filter((memory) => shelf === undefined || memory.shelf === shelf)
          .slice(0, SHOWN);
        const isPartial = (kind !== undefined || shelf !== undefined) && isFull;
        return { items, total: isPartial ? null : items.length, cursor: null };
      }
      const page = await api.call(memoryRoutes.list, { query: { companion, kind, shelf, limit, cursor } });
      return { items: page.memories, total: page.total, cursor: page.nextCursor };
    },
    [api, companion, filter],
  );
  const { read, problem, failed, more, reread, retry } = useReadList(filter, readPage, changes + talkChanges);
  /** Number there were when last looked, for the list that was shown then. */
  const [counted, setCounted] = useState<{ read: typeof read; total: number } | null>(null);
  useEvery(query === '' ? COUNT_EVERY_MS : null, () => {
    if (document.hidden) return;
    readPage(1).then(
      ({ total }) => setCounted(total === null ? null : { read, total }),
      // Whether the suite is away is told elsewhere.
      () => undefined,
    );
  });
  /** Memory that was changed last, and the filter it was shown by. */
  const [changed, setChanged] = useState<{ id: string; filter: MemoryFilter } | null>(null);
  const act = async (work: Promise<unknown>, mayForget = true): Promise<boolean> => {
    setNoted(null);
    setChanged(null);
    try {
      await work;
    } catch (error) {
      failed(error);
      return false;
    }
    setChanges((number) => number + 1);
    if (mayForget) setForgets((number) => number + 1);
    return true;
  };
  const forget = async (id: string): Promise<void> => {
    // Counted from here, since the gateway counts from when it is asked, by a clock of its own.
    const until = new Date(Date.now() + UNDO_MS);
    const { receipt, lines } = await api.call(memoryRoutes.forget, { body: { ids: [id] } }).catch(notedOf);
    // One that had nothing to forget takes no Undo away.
    if (receipt !== null) setForgotten({ receipt, lines, name, until });
  };
  const undoing = useRef(new Set<string>());
  const takeBack = async (undone: UndoableForgetting): Promise<void> => {
    const { receipt } = undone;
    undoing.current.add(receipt);
    try {
      const undo = api.call(memoryRoutes.undoForget, { body: { receipt } });
      const waits = await undo.then(() => null, notedOf);
      // Something else may be forgotten by now.
      setForgotten((last) => (last?.receipt === receipt ? null : last));
      setNoted(
        waits === null
          ? `${undone.name} remembers it again.`
          : `It is noted, and comes back as soon as every part of Kith answers, if that is before ${clock(undone.until)}.`,
      );
    } finally {
      undoing.current.delete(receipt);
    }
  };
  return {
    items: read?.list.items ?? null,
    /** Filter of the items shown: while another one is read, still the one before. */
    filter: read?.filter ?? filter,
    total: read?.list.total ?? 0,
    /** Number of memories that came since the list was read; the list stays as it is while somebody reads it. */
    newer:
      counted !== null && counted.read === read ? Math.max(0, counted.total - (read?.list.total ?? 0)) : 0,
    /** True where the memory changed last does not fit the filter any more. */
    isChangedGone:
      changed !== null &&
      changed.filter === read?.filter &&
      read.list.items.every(({ id }) => id !== changed.id),
    /** True where a search of one kind or shelf may have missed some of it. */
    isPartial: read?.list.total === null,
    hasMore: read?.list.cursor != null,
    problem,
    noted,
    changes,
    forgets,
    more,
    reread,
    retry,
    /** Answers false when it could not be done, and `problem` says why. */
    change: async (id: string, change: MemoryChange) => {
      const mayForget = change.text !== undefined || change.shelf !== undefined;
      const isDone = await act(api.call(memoryRoutes.change, { params: { id }, body: change }), mayForget);
      if (isDone) setChanged({ id, filter });
      return isDone;
    },
    forget: (id: string) => act(forget(id).finally(onForgotten)),
    undo: () => {
      // The second click of a double click would find nothing to undo.
      if (forgotten === null || undoing.current.has(forgotten.receipt)) return;
      void act(takeBack(forgotten).finally(onForgotten));
    },
  };
}
