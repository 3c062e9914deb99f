import { useCallback, useEffect, useRef, useState, type SetStateAction } from 'react';
import { failureAfter, failureOf, failureWords, type FailedWork, type Failure } from './failure.js';
import { useRecoveries } from './recoveries.js';

/**
 * Reads a view of what the suite keeps: at first, after each action, with each change, and when the suite is back.
 * @param read keep it the same between renders
 * @param changes number of changes that were made elsewhere
 * @param forgets number of those that may have forgotten words of the view: it is dropped where it can't be read again
 * then, and work that failed before is not repeated
 */
export function useView<T>(read: () => Promise<T>, changes = 0, forgets = changes) {
  const [view, setView] = useState<T | null>(null);
  const [unread, setUnread] = useState<Failure | null>(null);
  /** Work that failed last. Reading the view again, as by a timer or a change, does not clear its words. */
  const [undone, setUndone] = useState<FailedWork | null>(null);
  const reads = useRef(0);
  const latestForgets = useRef(forgets);
  /** Value of `forgets` that the view shown was read after. */
  const readAfter = useRef(forgets);
  /** Shows a view that came as an answer to work. A part of one is put into the view of now, which may have lost words since. */
  const show = useCallback((next: SetStateAction<T | null>) => {
    // Answers to earlier reads are older than this view.
    reads.current += 1;
    setView(next);
    setUnread(null);
  }, []);
  /** Reads the view again. Never rejects: `problem` says what went wrong. */
  const reread = useCallback(async () => {
    reads.current += 1;
    const own = reads.current;
    const asked = latestForgets.current;
    // Answers may come in another order than they were asked for: the last question counts.
    await read().then(
      (next) => {
        if (own !== reads.current) return;
        readAfter.current = asked;
        show(next);
      },
      (error: unknown) => {
        if (own !== reads.current) return;
        setUnread(failureOf(error));
        // A view from before a change may show what is forgotten by now.
        if (readAfter.current !== asked) setView(null);
      },
    );
  }, [read, show]);
  /** Runs the work on a subject, reads the view again, also where it failed, and tells if it is done. Never rejects. */
  const act = useCallback(
    async (subject: string, work: () => Promise<unknown>) => {
      let isDone = true;
      try {
        await work();
        setUndone((failed) => failureAfter(failed, subject));
      } catch (error) {
        isDone = false;
        setUndone({ ...failureOf(error), subject, work });
      }
      // Work that failed may be done all the same, or be refused since the view has changed.
      await reread();
      return isDone;
    },
    [reread],
  );
  const recoveries = useRecoveries();
  useEffect(() => {
    // Once the suite is back, the view that is read shows whether the failed work was done. Its words may be forgotten.
    setUndone(null);
  }, [read, forgets, recoveries]);
  useEffect(() => {
    latestForgets.current = forgets;
    void reread();
  }, [reread, changes, forgets, recoveries]);
  const problem = undone ?? unread;
  const again = (): void => void (undone === null ? reread() : act(undone.subject, undone.work));
  return {
    view,
    reread,
    act,
    show,
    /** Reason why something failed; it says so where the view shown could not be read again. */
    problem: problem && failureWords(problem.words, unread !== null && view !== null),
    /** Repeats what failed; undefined where that would fail again. */
    retry: problem?.mayPass === true ? again : undefined,
  };
}
