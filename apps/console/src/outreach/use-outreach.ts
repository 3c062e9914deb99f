import {
  type OutreachChange,
  outreachRoutes,
  type OutreachSettings,
  type OutreachView,
  type RouteClient,
} from '@kith/contracts';
import { useCallback, useEffect } from 'react';
import type { z } from 'zod';
import { useView } from '../api/use-view.js';

type View = z.infer<typeof OutreachView>;

export interface Outreach {
  /** Null until it was read once. */
  view: View | null;
  problem: string | null;
  /** The settings as they are then; null when they could not be saved, and `problem` says why. */
  change: (change: z.output<typeof OutreachChange>) => Promise<OutreachSettings | null>;
}

// Why it waits changes with the clock, and a page may stay open for long.
const READ_AGAIN_MS = 60_000;

/** Reads what the person allows companions to start, what they have in mind, and what they wrote. */
export function useOutreach(api: RouteClient): Outreach {
  const read = useCallback(() => api.call(outreachRoutes.show), [api]);
  const { view, problem, look, act } = useView(read);
  useEffect(() => {
    const timer = window.setInterval(() => void look(), READ_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [look]);
  return {
    view,
    problem,
    change: async (change) => {
      let settings: OutreachSettings | null = null;
      await act(Object.keys(change).join(' '), async () => {
        settings = await api.call(outreachRoutes.change, { body: change });
      });
      return settings;
    },
  };
}
