import type { NeedView } from '@kith/contracts';
import { useEffect, useState } from 'react';
import type { ApiClient } from '../api/api-client.js';

/** A companion's needs, read again whenever its mood is (`course`): they move with the same events. None until read. */
export function useNeeds(api: ApiClient, companionId: string, course: unknown): readonly NeedView[] {
  const [read, setRead] = useState<{ of: string; needs: NeedView[] } | null>(null);
  useEffect(() => {
    let isCurrent = true;
    api.needs(companionId).then(
      ({ needs }) => isCurrent && setRead({ of: companionId, needs }),
      // The mood beside it says that personality is out of reach.
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [api, companionId, course]);
  return read?.of === companionId ? read.needs : [];
}
