import {
  type ForgetResult,
  type MemoryChange,
  type MemoryKind,
  memoryRoutes,
  type MemoryShelf,
  type MemoryView,
  type RecalledMemory,
  type RouteClient,
} from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { wordsOf } from '../page/problem.js';

export interface MemoryFilter {
  /** Words to look for; empty shows all, the newest first. */
  query: string;
  kind: MemoryKind | null;
  shelf: MemoryShelf | null;
}

export interface Memories {
  /** Null until they were read once. What a search finds says why. */
  items: (MemoryView | RecalledMemory)[] | null;
  total: number;
  hasMore: boolean;
  problem: string | null;
  /** Number of changes that were tried here. */
  changes: number;
  more: () => void;
  change: (id: string, change: MemoryChange) => Promise<void>;
  forget: (id: string) => Promise<void>;
  /** Result of the last forgetting, as long as it can be taken back; null otherwise. */
  forgotten: ForgetResult | null;
  undo: () => Promise<void>;
}

interface Read {
  items: (MemoryView | RecalledMemory)[];
  total: number;
  cursor: string | null;
}

/** Reads what a companion keeps of the person, or what a search finds among it. */
export function useMemories(
  api: RouteClient,
  companion: string,
  filter: MemoryFilter,
  talkChanges: number,
  onForgotten: () => void,
): Memories {
  const { query, kind, shelf } = filter;
  const [read, setRead] = useState<Read | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [changes, setChanges] = useState(0);
  const [forgotten, setForgotten] = useState<ForgetResult | null>(null);

  const readPage = useCallback(
    async (cursor?: string): Promise<Read> => {
      if (query !== '') {
        const { memories } = await api.call(memoryRoutes.search, {
          query: { companion, q: query, kind: kind ?? undefined, archive: 'true', limit: 30 },
        });
        const items = memories.filter((memory) => shelf === null || memory.shelf === shelf);
        return { items, total: items.length, cursor: null };
      }
      const page = await api.call(memoryRoutes.list, {
        query: { companion, kind: kind ?? undefined, shelf: shelf ?? undefined, cursor },
      });
      return { items: page.memories, total: page.total, cursor: page.nextCursor };
    },
    [api, companion, query, kind, shelf],
  );
  const failed = useCallback((error: unknown) => setProblem(wordsOf(error)), []);

  useEffect(
    () =>
      followRequest(
        readPage(),
        (page) => {
          setRead(page);
          setProblem(null);
        },
        failed,
      ),
    [readPage, failed, changes, talkChanges],
  );

  const more = (): void => {
    if (!read?.cursor) return;
    readPage(read.cursor).then(
      // Another search may have taken its place meanwhile, or something of it may be forgotten.
      (page) => setRead((now) => (now === read ? { ...page, items: [...read.items, ...page.items] } : now)),
      failed,
    );
  };
  const act = async (work: Promise<unknown>): Promise<void> => {
    try {
      await work;
      setProblem(null);
    } catch (error) {
      failed(error);
    }
    setChanges((number) => number + 1);
  };
  const takeBack = async (): Promise<void> => {
    if (forgotten?.receipt == null) return;
    const { receipt } = forgotten;
    await api.call(memoryRoutes.undoForget, { body: { receipt } }).finally(() => setForgotten(null));
  };
  useEffect(() => {
    if (forgotten?.undoUntil == null) return;
    const leftMs = Date.parse(forgotten.undoUntil) - Date.now();
    const timer = window.setTimeout(() => setForgotten(null), Math.max(0, leftMs));
    return () => window.clearTimeout(timer);
  }, [forgotten]);
  return {
    items: read?.items ?? null,
    total: read?.total ?? 0,
    hasMore: read?.cursor != null,
    problem,
    changes,
    more,
    change: (id, change) => act(api.call(memoryRoutes.change, { params: { id }, body: change })),
    forget: (id) =>
      act(
        api
          .call(memoryRoutes.forget, { body: { ids: [id] } })
          .then(setForgotten)
          .finally(onForgotten),
      ),
    forgotten,
    undo: () => act(takeBack().finally(onForgotten)),
  };
}
