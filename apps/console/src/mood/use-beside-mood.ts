import { useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';

/**
 * Reads something of a companion again whenever its mood is read (`course`), since it moves with the same events. Null
 * until it was read; the mood beside it says when personality is out of reach.
 * @param read keep it the same between renders
 */
export function useBesideMood<T>(
  companionId: string,
  course: unknown,
  read: (companionId: string) => Promise<T>,
): T | null {
  const [known, setKnown] = useState<{ of: string; what: T } | null>(null);
  useEffect(
    () =>
      followRequest(
        read(companionId),
        (what) => setKnown({ of: companionId, what }),
        // Its old words may be forgotten by now.
        () => setKnown(null),
      ),
    [companionId, course, read],
  );
  return known?.of === companionId ? known.what : null;
}
