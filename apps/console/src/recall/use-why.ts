import { memoryRoutes, type MemoryWhy, type RouteClient } from '@kith/contracts';
import { useEffect, useState } from 'react';
import { followRequest } from '../api/follow-request.js';
import { useRecoveries } from '../api/recoveries.js';
import { wordsOf } from '../page/problem.js';
import { useRound } from '../page/use-round.js';

/** Account that nothing was asked for, or whose answer is not there yet. */
const NOTHING: { account: MemoryWhy | null; problem: string | null } = { account: null, problem: null };

/** Reads the account of the recall for a question; an empty one is not asked. */
export function useWhy(api: RouteClient, companion: string, question: string, talkChanges: number) {
  const [why, setWhy] = useState(NOTHING);
  const [round, retry] = useRound();
  const recoveries = useRecoveries();
  // The old account may show what was forgotten just now.
  useEffect(() => setWhy(NOTHING), [talkChanges]);
  useEffect(() => {
    if (question === '') {
      setWhy(NOTHING);
      return undefined;
    }
    return followRequest(
      api.call(memoryRoutes.why, { query: { q: question, companion } }),
      (account) => setWhy({ account, problem: null }),
      (error) => setWhy({ account: null, problem: wordsOf(error) }),
    );
  }, [api, companion, question, talkChanges, recoveries, round]);
  return { ...why, retry };
}
