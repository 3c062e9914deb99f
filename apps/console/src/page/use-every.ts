import { useEffect, useEffectEvent } from 'react';

/** Runs work again and again, with the newest state, for as long as there is a time; null: it is not due now. */
export function useEvery(everyMs: number | null, work: () => void): void {
  const run = useEffectEvent(work);
  useEffect(() => {
    if (everyMs === null) return undefined;
    const timer = window.setInterval(() => run(), everyMs);
    return () => window.clearInterval(timer);
  }, [everyMs]);
}
