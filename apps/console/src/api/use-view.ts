import { useCallback, useEffect, useRef, useState } from 'react';
import { useRecoveries } from './recoveries.js';
import { wordsOf } from '../page/problem.js';

type Work = () => Promise<unknown>;

export interface KnownView<T> {
  /** Null until it was read once. */
  view: T | null;
  problem: string | null;
  /** Runs the work, and reads the view again. Never rejects: `problem` says what went wrong. */
  act: (work?: Work) => Promise<void>;
  /** Does again what went wrong. */
  retry: () => void;
}

/**
 * Reads a view of what the suite keeps: at first, after each action, and when the suite is back.
 * @param read keep it the same between renders
 */
export function useView<T>(read: () => Promise<T>): KnownView<T> {
  const [view, setView] = useState<T | null>(null);
  const [unread, setUnread] = useState<string | null>(null);
  /** Work that failed last. A look at the view, as by a timer, leaves its words where they are. */
  const [undone, setUndone] = useState<{ work: Work; words: string } | null>(null);
  const reads = useRef(0);
  const act = useCallback(
    async (work?: Work) => {
      if (work !== undefined) {
        try {
          await work();
          setUndone(null);
        } catch (error) {
          setUndone({ work, words: wordsOf(error) });
          return;
        }
      }
      reads.current += 1;
      const own = reads.current;
      // Answers may come in another order than they were asked for: the last question counts.
      const tell = (then: () => void): void => {
        if (own === reads.current) then();
      };
      await read().then(
        (next) =>
          tell(() => {
            setView(next);
            setUnread(null);
          }),
        (error: unknown) => tell(() => setUnread(wordsOf(error))),
      );
    },
    [read],
  );
  const recoveries = useRecoveries();
  useEffect(() => void act(), [act, recoveries]);
  return { view, problem: undone?.words ?? unread, act, retry: () => void act(undone?.work) };
}
