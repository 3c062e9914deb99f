import { useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';

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
