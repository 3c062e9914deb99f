import { useCallback, useEffect, useRef, useState } from 'react';
import { failureAfter, failureOf, type FailedWork, type Failure } from './failure.js';
import { useRecoveries } from './recoveries.js';

export interface KnownView<T> {
  /** Null until it was read once. */
  view: T | null;
  problem: string | null;
  /** Reads the view again. Never rejects: `problem` says what went wrong. */
  look: () => Promise<void>;
  /** Runs the work on a subject, and reads the view again, also where it failed. Never rejects, as `look`. */
  act: (subject: string, work: () => Promise<unknown>) => Promise<void>;
  /** Shows a view that came as an answer to work. */
  show: (view: T) => void;
  /** Does again what went wrong; undefined where that would go wrong again. */
  retry: (() => void) | undefined;
}

/**
 * Reads a view of what the suite keeps: at first, after each action, with each change, and when the suite is back.
 * @param read keep it the same between renders
 * @param changes number of changes that were made elsewhere
 */
export function useView<T>(read: () => Promise<T>, changes = 0): KnownView<T> {
  const [view, setView] = useState<T | null>(null);
  const [unread, setUnread] = useState<Failure | null>(null);
  /** Work that failed last. A look at the view, as by a timer, leaves its words where they are. */
  const [undone, setUndone] = useState<FailedWork | null>(null);
  const reads = useRef(0);
  const show = useCallback((next: T) => {
    // What was asked for before is older.
    reads.current += 1;
    setView(next);
    setUnread(null);
  }, []);
  const look = useCallback(async () => {
    reads.current += 1;
    const own = reads.current;
    // Answers may come in another order than they were asked for: the last question counts.
    await read().then(
      (next) => {
        if (own === reads.current) show(next);
      },
      (error: unknown) => {
        if (own === reads.current) setUnread(failureOf(error));
      },
    );
  }, [read, show]);
  const act = useCallback(
    async (subject: string, work: () => Promise<unknown>) => {
      try {
        await work();
        setUndone((failed) => failureAfter(failed, subject));
      } catch (error) {
        setUndone({ ...failureOf(error), subject, work });
      }
      // Work that failed may be done all the same, or be refused since the view has changed.
      await look();
    },
    [look],
  );
  const recoveries = useRecoveries();
  useEffect(() => {
    // What is read now shows what was done of it.
    setUndone(null);
    void look();
  }, [look, changes, recoveries]);
  const problem = undone ?? unread;
  const again = (): void => void (undone === null ? look() : act(undone.subject, undone.work));
  return {
    ...{ view, look, act, show },
    problem: problem?.words ?? null,
    retry: problem?.mayPass === true ? again : undefined,
  };
}
