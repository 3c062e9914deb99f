import { useEffect, useState } from 'react';

export interface UndoableForgetting {
  /** Proof by which it can be undone. */
  receipt: string;
  /** Lines of talk that went with it; null where a part of Kith is down, and it goes on by itself. */
  lines: number | null;
  /** Name of the companion that forgot it: the notice outlives a switch to another one. */
  name: string;
  /** End of the time for an undo by the browser's clock, which may be wrong. */
  until: Date;
}

/** Keeps the result of the last forget until it can't be undone any more, also while another page is open. */
export function useLastForgotten() {
  /** Null where there is none that can be taken back. */
  const [forgotten, setForgotten] = useState<UndoableForgetting | null>(null);
  useEffect(() => {
    if (forgotten === null) return undefined;
    const leftMs = forgotten.until.getTime() - Date.now();
    const timer = window.setTimeout(() => setForgotten(null), Math.max(0, leftMs));
    return () => window.clearTimeout(timer);
  }, [forgotten]);
  return { forgotten, setForgotten };
}
