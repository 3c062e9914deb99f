import { useEffect, useEffectEvent, useState } from 'react';
import { failureOf, failureWords, type Failure } from './failure.js';
import { followRequest } from './follow-request.js';
import { readAgain, readOn, type ReadList, type ReadPage } from './read-list.js';
import { useRecoveries } from './recoveries.js';
import { useRound } from '../page/use-round.js';

interface FilteredRead<T, F> {
  /** Filter of the list shown: while another one is read, still the one before. */
  filter: F;
  list: ReadList<T>;
  /** Changes that it was read after. */
  changes: number;
}

/** Failure of reading the list, of reading on, or of other work with it. */
interface FailedPart extends Failure {
  part: 'list' | 'more' | 'work';
}

/**
 * Reads a list page by page: at first, with each change, and when the suite is back.
 * @param filter what `readPage` looks for; keep both the same between renders
 * @param changes number of changes to what is listed
 */
export function useReadList<T, F>(filter: F, readPage: ReadPage<T>, changes = 0) {
  /** Null until it was read once. */
  const [read, setRead] = useState<FilteredRead<T, F> | null>(null);
  const [failure, setFailure] = useState<FailedPart | null>(null);
  const [round, reread] = useRound();

  /** Counts what is shown: a list that is read again has as many entries as it shows then. */
  const shown = useEffectEvent(() => (read?.filter === filter ? read.list.items.length : 0));

  /** Shows a failure of other work with the list, until something of it is read. */
  const failed = (error: unknown): void => setFailure({ ...failureOf(error), mayPass: false, part: 'work' });
  const recoveries = useRecoveries();
  useEffect(() => {
    return followRequest(
      readAgain(readPage, () => shown()),
      (list) => {
        setRead({ filter, list, changes });
        setFailure(null);
      },
      (error: unknown) => {
        setFailure({ ...failureOf(error), part: 'list' });
        // The list of another filter is no answer to this one, and one from before a change may show what is forgotten.
        setRead((now) => (now?.filter === filter && now.changes === changes ? now : null));
      },
    );
  }, [readPage, filter, changes, recoveries, round]);

  const more = (): void => {
    if (read?.filter !== filter) return;
    readOn(readPage, read.list).then(
      (list) => {
        // Another search may have taken its place meanwhile, or something of it may be forgotten.
        setRead((now) => (now === read ? { ...read, list } : now));
        // A list that could not be read again is as old as before.
        setFailure((now) => (now?.part === 'list' ? now : null));
      },
      (error: unknown) => setFailure({ ...failureOf(error), part: 'more' }),
    );
  };
  const again = failure?.part === 'more' ? more : reread;
  return {
    read,
    failed,
    more,
    reread,
    /** Reason why something failed; it says so where the list shown could not be read again. */
    problem: failure && failureWords(failure.words, failure.part === 'list' && read !== null),
    /** Reads again what could not be read; undefined where that would fail again. */
    retry: failure?.mayPass === true ? again : undefined,
  };
}
