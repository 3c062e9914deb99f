import { companionRoutes, DAY_MS, type MoodView, type RouteClient } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { withLiveMood, type MoodCourse } from './mood-curve.js';

/** Time for which a mood is shown. */
export const WEEK_MS = 7 * DAY_MS;
// The mood fades on its own; its name may change without anything happening.
const REFRESH_MS = 60_000;

export interface Mood {
  /** Null until it has been read once; then the last that was read, also while personality is down. */
  course: MoodCourse | null;
  isStale: boolean;
  refresh: () => void;
  /** Shows a mood at once; its cause follows with the next refresh. */
  heard: (companionId: string, now: MoodView) => void;
}

/** Reads a companion's mood towards the person over the last week. No companion, no mood. */
export function useMood(api: RouteClient, companionId: string | null): Mood {
  const [course, setCourse] = useState<MoodCourse | null>(null);
  const [isStale, setStale] = useState(false);
  const [round, setRound] = useState(0);
  const refresh = useCallback(() => setRound((number) => number + 1), []);

  useEffect(() => {
    if (companionId === null) return undefined;
    const query = { from: new Date(Date.now() - WEEK_MS).toISOString() };
    return followRequest(
      api.call(companionRoutes.mood, { params: { id: companionId }, query }),
      (read) => {
        setCourse(read);
        setStale(false);
      },
      () => setStale(true),
    );
  }, [api, companionId, round]);

  useEffect(() => {
    const timer = window.setInterval(refresh, REFRESH_MS);
    return () => window.clearInterval(timer);
  }, [refresh]);

  const heard = useCallback(
    (of: string, now: MoodView) => {
      setCourse((known) =>
        known === null || known.companionId !== of ? known : withLiveMood(known, now, new Date()),
      );
      if (of === companionId) refresh();
    },
    [companionId, refresh],
  );

  // While the right mood is being read, another companion's is not shown.
  const isRight = course?.companionId === companionId;
  return { course: isRight ? course : null, isStale, refresh, heard };
}
