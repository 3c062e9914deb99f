import { auditRoutes, type OperatorActionList, type RouteClient } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import type { z } from 'zod';

type Log = z.infer<typeof OperatorActionList>;

export interface Audit {
  /** Null until they were read once. */
  actions: Log['actions'] | null;
  hasMore: boolean;
  problem: string | null;
  more: () => void;
}

/** Reads what operators did and looked at, by what was done and by a person's id; empty reads all. */
export function useAudit(api: RouteClient, { action, person }: { action: string; person: string }): Audit {
  const [log, setLog] = useState<Log | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useCallback((error: unknown) => {
    setProblem(error instanceof Error ? error.message : 'That did not work.');
  }, []);
  useEffect(() => {
    let isOver = false;
    api.call(auditRoutes.list, { query: queryOf(action, person) }).then(
      (first) => {
        if (isOver) return;
        setLog(first);
        setProblem(null);
      },
      (error: unknown) => {
        if (!isOver) failed(error);
      },
    );
    return () => {
      isOver = true;
    };
  }, [api, action, person, failed]);
  return {
    actions: log?.actions ?? null,
    hasMore: log?.nextCursor != null,
    problem,
    more: () => {
      if (log?.nextCursor == null) return;
      const { nextCursor: cursor } = log;
      api.call(auditRoutes.list, { query: { ...queryOf(action, person), cursor } }).then((next) => {
        // Another search may have taken its place meanwhile.
        setLog((now) => (now === log ? { ...next, actions: [...log.actions, ...next.actions] } : now));
      }, failed);
    },
  };
}

/** Leaves out what is empty, which the API would look for. */
function queryOf(action: string, person: string) {
  return { action: action || undefined, person: person || undefined };
}
