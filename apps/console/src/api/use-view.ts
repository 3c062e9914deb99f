import { useCallback, useEffect, useState } from 'react';
import { useRecoveries } from './recoveries.js';
import { wordsOf } from '../page/problem.js';

export interface KnownView<T> {
  /** Null until it was read once. */
  view: T | null;
  problem: string | null;
  /** Runs the work, and reads the view again. Never rejects: `problem` says what went wrong. */
  act: (work?: () => Promise<unknown>) => Promise<void>;
  /** Reads it again. */
  retry: () => void;
}

/**
 * Reads a view of what the suite keeps: at first, after each action, and when the suite is back.
 * @param read keep it the same between renders
 */
export function useView<T>(read: () => Promise<T>): KnownView<T> {
  const [view, setView] = useState<T | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const act = useCallback(
    async (work?: () => Promise<unknown>) => {
      try {
        await work?.();
        setView(await read());
        setProblem(null);
      } catch (error) {
        setProblem(wordsOf(error));
      }
    },
    [read],
  );
  const recoveries = useRecoveries();
  useEffect(() => void act(), [act, recoveries]);
  return { view, problem, act, retry: () => void act() };
}
