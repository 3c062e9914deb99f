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
  /** Repeats what failed; undefined where that would fail again. */
  retry: (() => void) | undefined;
}

/**
 * Reads a view of what the suite keeps: at first, after each action, with each change, and when the suite is back.
 * @param read keep it the same between renders
 * @param changes number of changes that were made elsewhere
 * @param holdsWords whether it may show what such a change forgot: it is dropped where it can't be read again then
 */
export function useView<T>(read: () => Promise<T>, changes = 0, holdsWords = true): KnownView<T> {
  const [view, setView] = useState<T | null>(null);
  const [unread, setUnread] = useState<Failure | null>(null);
  /** Work that failed last. Reading the view again, as by a timer, does not clear its words. */
  const [undone, setUndone] = useState<FailedWork | null>(null);
  const reads = useRef(0);
  /** Changes that the view shown was read after. */
  const readAfter = useRef(changes);
  const show = useCallback((next: T) => {
    // Answers to earlier reads are older than this view.
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
        if (own !== reads.current) return;
        readAfter.current = changes;
        show(next);
      },
      (error: unknown) => {
        if (own !== reads.current) return;
        setUnread(failureOf(error));
        // A view from before a change may show what is forgotten by now.
        if (holdsWords && readAfter.current !== changes) setView(null);
      },
    );
  }, [read, show, changes, holdsWords]);
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
    // The view that is read now shows whether the failed work was done.
    setUndone(null);
    void look();
  }, [look, recoveries]);
  const problem = undone ?? unread;
  const again = (): void => void (undone === null ? look() : act(undone.subject, undone.work));
  return {
    ...{ view, look, act, show },
    problem: problem?.words ?? null,
    retry: problem?.mayPass === true ? again : undefined,
  };
}
