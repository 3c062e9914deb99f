import { companionRoutes, DAY_MS, type MoodView, type RouteClient } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { useEvery } from '../page/use-every.js';
import { withLiveMood, type MoodCourse } from './mood-curve.js';
import { useRound } from '../page/use-round.js';

/** Time for which a mood is shown. */
export const WEEK_MS = 7 * DAY_MS;
// The mood fades on its own; its name may change without anything happening.
const REFRESH_MS = 60_000;
/**
 * Time for which what moves the mood is gathered: the parts of an exchange share a reading, and a lively talk takes no
 * more than half of the requests that its key has a minute.
 */
const GATHER_MS = 3_000;

/**
 * Reads a companion's mood towards the person over the last week. No companion, no mood.
 * @param changes number of times that something of the talk may have been forgotten, as the jokes of the two
 */
export function useMood(api: RouteClient, companionId: string | null, changes: number) {
  const [known, setKnown] = useState<{ course: MoodCourse; asRead: MoodCourse; changes: number } | null>(
    null,
  );
  const [isStale, setStale] = useState(false);
  const [round, refresh] = useRound();
  const [isMoved, setMoved] = useState(false);
  const moved = useCallback(() => setMoved(true), []);

  useEffect(() => {
    if (companionId === null) return undefined;
    const query = { from: new Date(Date.now() - WEEK_MS).toISOString() };
    return followRequest(
      api.call(companionRoutes.mood, { params: { id: companionId }, query }),
      (read) => {
        setKnown({ course: read, asRead: read, changes });
        setStale(false);
      },
      () => {
        setKnown((now) => (now?.changes === changes ? now : null));
        setStale(true);
      },
    );
  }, [api, companionId, round, changes]);

  useEvery(REFRESH_MS, refresh);
  useEvery(isMoved ? GATHER_MS : null, () => {
    setMoved(false);
    refresh();
  });

  const heard = useCallback(
    (of: string, now: MoodView) => {
      setKnown((known) =>
        known?.course.companionId === of
          ? { ...known, course: withLiveMood(known.course, now, new Date()) }
          : known,
      );
      if (of === companionId) moved();
    },
    [companionId, moved],
  );

  // While the right mood is being read, another companion's is not shown.
  const shown = known?.course.companionId === companionId ? known : null;
  return { course: shown?.course ?? null, asRead: shown?.asRead ?? null, isStale, moved, heard };
}

/**
 * Reads something of a companion again whenever its mood is read, since it moves with the same events. Null until it
 * was read, and without a mood; the mood beside it says when personality is out of reach.
 * @param mood the mood as it was read: one that is only heard of, as each exchange brings it, reads nothing
 * @param read keep it the same between renders
 */
export function useBesideMood<T>(
  companionId: string,
  mood: object | null,
  read: (companionId: string) => Promise<T>,
): T | null {
  const [known, setKnown] = useState<{ of: string; what: T } | null>(null);
  useEffect(() => {
    // Its old words may be forgotten by now, as where it can't be read.
    if (mood === null) return setKnown(null);
    return followRequest(
      read(companionId),
      (what) => setKnown({ of: companionId, what }),
      () => setKnown(null),
    );
  }, [companionId, mood, read]);
  return known?.of === companionId ? known.what : null;
}
