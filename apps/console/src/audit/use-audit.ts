import type { OperatorActionList } from '@kith/contracts';
import { useCallback, useEffect, useState } from 'react';
import type { z } from 'zod';
import type { ApiClient } from '../api/api-client.js';

type Log = z.infer<typeof OperatorActionList>;

export interface Audit {
  /** Null until they were read once. */
  actions: Log['actions'] | null;
  hasMore: boolean;
  problem: string | null;
  more(): void;
}

/** What operators did and looked at, by what was done and by a person's id; empty shows all. */
export function useAudit(api: ApiClient, { action, person }: { action: string; person: string }): Audit {
  const [log, setLog] = useState<Log | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const failed = useCallback((error: unknown) => {
    setProblem(error instanceof Error ? error.message : 'That did not work.');
  }, []);
  useEffect(() => {
    let isOver = false;
    api.audit({ action, person, cursor: undefined }).then(
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
      api.audit({ action, person, cursor }).then((next) => {
        // Another search may have taken its place meanwhile.
        setLog((now) => (now === log ? { ...next, actions: [...log.actions, ...next.actions] } : now));
      }, failed);
    },
  };
}
