import { memoryRoutes, type MemoryWhy, type RouteClient } from '@kith/contracts';
import { useEffect, useState } from 'react';

export interface Why {
  /** Null where nothing was asked, or the answer is not there yet. */
  account: MemoryWhy | null;
  problem: string | null;
}

/** Reads the account of the recall for a question; an empty one is not asked. */
export function useWhy(api: RouteClient, companion: string, question: string): Why {
  const [why, setWhy] = useState<Why>({ account: null, problem: null });
  useEffect(() => {
    if (question === '') {
      setWhy({ account: null, problem: null });
      return undefined;
    }
    let isOver = false;
    api.call(memoryRoutes.why, { query: { q: question, companion } }).then(
      (account) => {
        if (!isOver) setWhy({ account, problem: null });
      },
      (error: unknown) => {
        if (isOver) return;
        setWhy({ account: null, problem: error instanceof Error ? error.message : 'That did not work.' });
      },
    );
    return () => {
      isOver = true;
    };
  }, [api, companion, question]);
  return why;
}
