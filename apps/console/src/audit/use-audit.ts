import { auditRoutes, type OperatorActionList, type RouteClient } from '@kith/contracts';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { followRequest } from '../api/follow-request.js';
import { useRecoveries } from '../api/recoveries.js';
import { wordsOf } from '../page/problem.js';

type Log = z.infer<typeof OperatorActionList>;

export interface Audit {
  /** Null until they were read once. */
  actions: Log['actions'] | null;
  hasMore: boolean;
  problem: string | null;
  more: () => void;
}

/** Reads what operators did and looked at, by what was done and by a person's id; empty reads all. */
export function useAudit(api: RouteClient, action: string, person: string): Audit {
  const [log, setLog] = useState<Log | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const recoveries = useRecoveries();
  useEffect(
    () =>
      followRequest(
        api.call(auditRoutes.list, { query: queryOf(action, person) }),
        (first) => {
          setLog(first);
          setProblem(null);
        },
        (error) => setProblem(wordsOf(error)),
      ),
    [api, action, person, recoveries],
  );
  return {
    actions: log?.actions ?? null,
    hasMore: log?.nextCursor != null,
    problem,
    more: () => {
      if (log?.nextCursor == null) return;
      const { nextCursor: cursor } = log;
      api.call(auditRoutes.list, { query: { ...queryOf(action, person), cursor } }).then(
        // Another search may have taken its place meanwhile.
        (next) =>
          setLog((now) => (now === log ? { ...next, actions: [...log.actions, ...next.actions] } : now)),
        (error: unknown) => setProblem(wordsOf(error)),
      );
    },
  };
}

/** Leaves out what is empty, which the API would look for. */
function queryOf(action: string, person: string) {
  return { action: action || undefined, person: person || undefined };
}
