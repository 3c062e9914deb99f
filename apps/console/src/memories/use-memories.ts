import {
  type MemoryChange,
  type MemoryKind,
  memoryRoutes,
  type MemoryShelf,
  type MemoryView,
  type RecalledMemory,
  type RouteClient,
} from '@kith/contracts';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { useRecoveries } from '../api/recoveries.js';
import { wordsOf } from '../page/problem.js';
import type { LastForgotten } from './use-last-forgotten.js';
import { readAgain, readOn, type ReadList } from './read-list.js';

type Memory = MemoryView | RecalledMemory;

export interface MemoryFilter {
  /** Words to look for; empty shows all, the newest first. */
  query: string;
  kind: MemoryKind | null;
  shelf: MemoryShelf | null;
}

export interface Memories {
  /** Null until they were read once. What a search finds says why. */
  items: Memory[] | null;
  /** Filter that the items answer: while another is looked for, that before it. */
  filter: MemoryFilter;
  total: number;
  hasMore: boolean;
  problem: string | null;
  /** Number of changes that were tried here. */
  changes: number;
  more: () => void;
  /** Answers false when it could not be done, and `problem` says why. */
  change: (id: string, change: MemoryChange) => Promise<boolean>;
  forget: (id: string) => Promise<boolean>;
  undo: () => Promise<boolean>;
}

interface Read {
  /** Filter that the list answers. */
  filter: MemoryFilter;
  list: ReadList<Memory>;
}

/** Reads what a companion keeps of the person, or what a search finds among it. */
export function useMemories(
  api: RouteClient,
  companion: string,
  { query, kind, shelf }: MemoryFilter,
  talkChanges: number,
  { forgotten, setForgotten }: LastForgotten,
  onForgotten: () => void,
): Memories {
  const filter = useMemo<MemoryFilter>(() => ({ query, kind, shelf }), [query, kind, shelf]);
  const [read, setRead] = useState<Read | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [changes, setChanges] = useState(0);

  // A list that is read again has as many entries as it shows then.
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });

  const readPage = useCallback(
    async (limit: number, cursor?: string): Promise<ReadList<Memory>> => {
      const { query: q, ...rest } = filter;
      const [kind, shelf] = [rest.kind ?? undefined, rest.shelf ?? undefined];
      if (q !== '') {
        const { memories } = await api.call(memoryRoutes.search, {
          query: { companion, q, kind, archive: 'true', limit: 30 },
        });
        const items = memories.filter((memory) => shelf === undefined || memory.shelf === shelf);
        return { items, total: items.length, cursor: null };
      }
      const page = await api.call(memoryRoutes.list, { query: { companion, kind, shelf, limit, cursor } });
      return { items: page.memories, total: page.total, cursor: page.nextCursor };
    },
    [api, companion, filter],
  );
  const failed = useCallback((error: unknown) => setProblem(wordsOf(error)), []);

  const recoveries = useRecoveries();
  useEffect(() => {
    const before = latest.current;
    return followRequest(
      readAgain(readPage, before?.filter === filter ? before.list.items.length : 0),
      (list) => {
        setRead({ filter, list });
        setProblem(null);
      },
      (error: unknown) => {
        failed(error);
        // The list of another filter is no answer to this one.
        setRead((now) => (now?.filter === filter ? now : null));
      },
    );
  }, [readPage, filter, failed, changes, talkChanges, recoveries]);

  const more = (): void => {
    if (read?.filter !== filter) return;
    readOn(readPage, read.list).then(
      // Another search may have taken its place meanwhile, or something of it may be forgotten.
      (list) => setRead((now) => (now === read ? { filter, list } : now)),
      failed,
    );
  };
  const act = async (work: Promise<unknown>): Promise<boolean> => {
    try {
      await work;
    } catch (error) {
      failed(error);
      return false;
    }
    setChanges((number) => number + 1);
    return true;
  };
  const takeBack = async (): Promise<void> => {
    if (forgotten?.receipt == null) return;
    await api.call(memoryRoutes.undoForget, { body: { receipt: forgotten.receipt } });
    setForgotten(null);
  };
  return {
    items: read?.list.items ?? null,
    filter: read?.filter ?? filter,
    total: read?.list.total ?? 0,
    hasMore: read?.list.cursor != null,
    problem,
    changes,
    more,
    change: (id, change) => act(api.call(memoryRoutes.change, { params: { id }, body: change })),
    forget: (id) =>
      act(
        api
          .call(memoryRoutes.forget, { body: { ids: [id] } })
          // One that had nothing to forget takes no Undo away.
          .then((result) => result.receipt !== null && setForgotten(result))
          .finally(onForgotten),
      ),
    undo: () => act(takeBack().finally(onForgotten)),
  };
}
