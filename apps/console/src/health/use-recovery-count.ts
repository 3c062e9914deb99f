import { useEffect, useRef, useState } from 'react';
import type { ConnectionStatus } from '../chat/chat-socket.js';
import type { Trouble } from './describe-health.js';

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

/** State of the suite as the page sees it. */
export interface SuiteState {
  status: ConnectionStatus;
  troubles: readonly Trouble[];
}

/** True where the connection is back, or a part that was down: what could not be read may be read now. */
export function isRecovery(before: SuiteState, now: SuiteState): boolean {
  if (now.status !== 'ready') return false;
  const left = new Set(now.troubles.map(({ key }) => key));
  return before.status === 'reconnecting' || before.troubles.some(({ key }) => !left.has(key));
}
