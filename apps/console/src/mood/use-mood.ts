import { companionRoutes, DAY_MS, type MoodView, type RouteClient } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { withLiveMood, type MoodCourse } from './mood-curve.js';

/** Time for which a mood is shown. */
export const WEEK_MS = 7 * DAY_MS;
// The mood fades on its own; its name may change without anything happening.
const REFRESH_MS = 60_000;

export interface Mood {
  /** Null until it has been read once; then the last that was read, also while personality is down, until a change. */
  course: MoodCourse | null;
  isStale: boolean;
  refresh: () => void;
  /** Shows a mood at once; its cause follows with the next refresh. */
  heard: (companionId: string, now: MoodView) => void;
}

/**
 * Reads a companion's mood towards the person over the last week. No companion, no mood.
 * @param changes number of times that something of the talk may have been forgotten, as the jokes of the two
 */
export function useMood(api: RouteClient, companionId: string | null, changes: number): Mood {
  const [known, setKnown] = useState<{ course: MoodCourse; changes: number } | null>(null);
  const [isStale, setStale] = useState(false);
  const [round, setRound] = useState(0);
  const refresh = useCallback(() => setRound((number) => number + 1), []);

  useEffect(() => {
    if (companionId === null) return undefined;
    const query = { from: new Date(Date.now() - WEEK_MS).toISOString() };
    return followRequest(
      api.call(companionRoutes.mood, { params: { id: companionId }, query }),
      (read) => {
        setKnown({ course: read, changes });
        setStale(false);
      },
      () => {
        setKnown((now) => (now?.changes === changes ? now : null));
        setStale(true);
      },
    );
  }, [api, companionId, round, changes]);

  useEffect(() => {
    const timer = window.setInterval(refresh, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [refresh]);

  const heard = useCallback(
    (of: string, now: MoodView) => {
      setKnown((known) =>
        known?.course.companionId === of
          ? { ...known, course: withLiveMood(known.course, now, new Date()) }
          : known,
      );
      if (of === companionId) refresh();
    },
    [companionId, refresh],
  );

  // While the right mood is being read, another companion's is not shown.
  const course = known?.course.companionId === companionId ? known.course : null;
  return { course, isStale, refresh, heard };
}
