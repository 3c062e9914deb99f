import { type AttemptView, type OutreachChange, outreachRoutes, type RouteClient } from '@kith/contracts';
import { useCallback } from 'react';
import type { z } from 'zod';
import type { ReadList } from '../api/read-list.js';
import { useReadList } from '../api/use-read-list.js';
import { useView } from '../api/use-view.js';
import { useEvery } from '../page/use-every.js';

/** Filter of the attempts: all of them are listed. */
const ALL = null;

// Why it waits changes with the clock, and a page may stay open for long.
const READ_AGAIN_MS = 60_000;

/** Reads what the person allows companions to start, what they have in mind, and what they wrote. */
export function useOutreach(api: RouteClient, talkChanges: number, talkForgets: number) {
  const read = useCallback(() => api.call(outreachRoutes.show), [api]);
  const { view, problem, retry, reread, act, show } = useView(read, talkChanges, talkForgets);
  const readPage = useCallback(
    async (limit: number, cursor?: string): Promise<ReadList<AttemptView>> => {
      const page = await api.call(outreachRoutes.attempts, { query: { limit, cursor } });
      return { items: page.attempts, total: null, cursor: page.nextCursor };
    },
    [api],
  );
  const { reread: rereadAttempts, ...attempts } = useReadList(ALL, readPage, talkChanges + talkForgets);
  useEvery(READ_AGAIN_MS, () => {
    void reread();
    rereadAttempts();
  });
  return {
    view,
    problem,
    retry,
    attempts,
    /** Answers false when they could not be saved. `problem` says why, until something of the same subject is saved. */
    change: (change: z.output<typeof OutreachChange>, subject = Object.keys(change).join(' ')) =>
      act(subject, async () => {
        const settings = await api.call(outreachRoutes.change, { body: change });
        show((now) => now && { ...now, settings });
      }),
  };
}
