import {
  type OutreachChange,
  outreachRoutes,
  type OutreachSettings,
  type OutreachView,
  type RouteClient,
} from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import type { z } from 'zod';

type View = z.infer<typeof OutreachView>;

export interface Outreach {
  /** Null until it was read once. */
  view: View | null;
  problem: string | null;
  /** The settings as they are then; null when they could not be saved, and `problem` says why. */
  change: (change: z.output<typeof OutreachChange>) => Promise<OutreachSettings | null>;
}

// What keeps it from writing changes with the clock: a page that stays open is not to tell old news.
const READ_AGAIN_MS = 60_000;

/** Reads what the person allows companions to start, what they have in mind, and what they wrote. */
export function useOutreach(api: RouteClient): Outreach {
  const [view, setView] = useState<View | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useCallback((error: unknown) => {
    setProblem(error instanceof Error ? error.message : 'That did not work.');
  }, []);
  const read = useCallback(
    () =>
      api.call(outreachRoutes.show).then((fresh) => {
        setView(fresh);
        setProblem(null);
      }, failed),
    [api, failed],
  );
  useEffect(() => {
    void read();
    const timer = window.setInterval(() => void read(), READ_AGAIN_MS);
    return () => window.clearInterval(timer);
  }, [read]);
  return {
    view,
    problem,
    change: async (change) => {
      try {
        const settings = await api.call(outreachRoutes.change, { body: change });
        await read();
        return settings;
      } catch (error) {
        failed(error);
        return null;
      }
    },
  };
}
