import { type OutreachChange, outreachRoutes, type OutreachView, type RouteClient } from '@kith/contracts';
import { useCallback, useEffect } from 'react';
import type { z } from 'zod';
import { useView } from '../api/use-view.js';

type View = z.infer<typeof OutreachView>;

export interface Outreach {
  /** Null until it was read once. */
  view: View | null;
  problem: string | null;
  /**
   * Answers false when the settings could not be saved. `problem` says why, until something of the same subject is saved.
   */
  change: (change: z.output<typeof OutreachChange>, subject?: string) => Promise<boolean>;
}

// Why it waits changes with the clock, and a page may stay open for long.
const READ_AGAIN_MS = 60_000;

/** Reads what the person allows companions to start, what they have in mind, and what they wrote. */
export function useOutreach(api: RouteClient, talkChanges: number, talkForgets: number): Outreach {
  const read = useCallback(() => api.call(outreachRoutes.show), [api]);
  const { view, problem, look, act, show } = useView(read, talkChanges, talkForgets);
  useEffect(() => {
    const timer = window.setInterval(() => void look(), READ_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [look]);
  return {
    view,
    problem,
    change: async (change, subject = Object.keys(change).join(' ')) => {
      let isSaved = false;
      await act(subject, async () => {
        const settings = await api.call(outreachRoutes.change, { body: change });
        isSaved = true;
        show((now) => now && { ...now, settings });
      });
      return isSaved;
    },
  };
}
