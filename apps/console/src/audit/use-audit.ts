import { auditRoutes, type OperatorActionList, type RouteClient } from '@kith/contracts';
import { useCallback, useMemo } from 'react';
import type { z } from 'zod';
import type { ReadList } from '../api/read-list.js';
import { useReadList } from '../api/use-read-list.js';

type Action = z.infer<typeof OperatorActionList>['actions'][number];

/** Reads what operators did and looked at, by what was done and by a person's id; empty reads all. */
export function useAudit(api: RouteClient, action: string, person: string) {
  // Leaves empty fields out: the API would search for them.
  const filter = useMemo(
    () => ({ action: action || undefined, person: person || undefined }),
    [action, person],
  );
  const readPage = useCallback(
    async (limit: number, cursor?: string): Promise<ReadList<Action>> => {
      const page = await api.call(auditRoutes.list, { query: { ...filter, limit, cursor } });
      return { items: page.actions, total: null, cursor: page.nextCursor };
    },
    [api, filter],
  );
  const { read, problem, more, retry } = useReadList(filter, readPage);
  return { actions: read?.list.items ?? null, hasMore: read?.list.cursor != null, problem, more, retry };
}
