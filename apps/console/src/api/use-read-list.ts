import { useCallback, useEffect, useRef, useState } from 'react';
import { wordsOf } from '../page/problem.js';
import { followRequest } from './follow-request.js';
import { readAgain, readOn, type ReadList, type ReadPage } from './read-list.js';
import { useRecoveries } from './recoveries.js';

interface Read<T, F> {
  /** Filter that the list answers: while another is looked for, that before it. */
  filter: F;
  list: ReadList<T>;
}

export interface KnownList<T, F> {
  /** Null until it was read once. */
  read: Read<T, F> | null;
  problem: string | null;
  failed: (error: unknown) => void;
  more: () => void;
}

/**
 * Reads a list page by page: at first, with each change, and when the suite is back.
 * @param filter what `readPage` looks for; keep both the same between renders
 * @param changes number of changes to what is listed
 */
export function useReadList<T, F>(filter: F, readPage: ReadPage<T>, changes = 0): KnownList<T, F> {
  const [read, setRead] = useState<Read<T, F> | null>(null);
  const [problem, setProblem] = useState<string | null>(null);

  // A list that is read again has as many entries as it shows then.
  const latest = useRef(read);
  useEffect(() => {
    latest.current = read;
  });

  const failed = useCallback((error: unknown) => setProblem(wordsOf(error)), []);
  const recoveries = useRecoveries();
  useEffect(() => {
    const before = latest.current;
    return followRequest(
      readAgain(readPage, before?.filter === filter ? before.list.items.length : 0),
      (list) => {
        setRead({ filter, list });
        setProblem(null);
      },
      (error: unknown) => {
        failed(error);
        // The list of another filter is no answer to this one.
        setRead((now) => (now?.filter === filter ? now : null));
      },
    );
  }, [readPage, filter, failed, changes, recoveries]);

  const more = (): void => {
    if (read?.filter !== filter) return;
    readOn(readPage, read.list).then(
      // Another search may have taken its place meanwhile, or something of it may be forgotten.
      (list) => setRead((now) => (now === read ? { filter, list } : now)),
      failed,
    );
  };
  return { read, problem, failed, more };
}
