import { useEffect, useRef, useState } from 'react';
import { isRecovery, type SuiteState } from './is-recovery.js';

/** Counts the times that the suite came back. */
export function useRecoveryCount({ status, troubles }: SuiteState): number {
  const [count, setCount] = useState(0);
  const before = useRef<SuiteState>({ status, troubles });
  useEffect(() => {
    const now = { status, troubles };
    if (isRecovery(before.current, now)) setCount((number) => number + 1);
    before.current = now;
  }, [status, troubles]);
  return count;
}
