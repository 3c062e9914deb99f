import { useCallback, useEffect, useRef, useState } from 'react';
import { pageIn, type Page } from './page-in.js';
import { mayLeave } from './unsaved.js';

/**
 * Keeps the page in the address' fragment: a reload shows it again, and Back leads to the page before. Where something
 * typed would be lost, the person is asked before another page is shown.
 */
export function usePage(): [Page, (page: Page) => void] {
  const [page, setPage] = useState(() => pageIn(window.location.hash));
  const shown = useRef(entryNow());
  useEffect(() => {
    const onFragment = (): void => {
      const next = pageIn(window.location.hash);
      if (next !== page && !mayLeave()) {
        stayAt(shown.current, page);
        return;
      }
      shown.current = entryNow();
      setPage(next);
    };
    window.addEventListener('hashchange', onFragment);
    return () => window.removeEventListener('hashchange', onFragment);
  }, [page]);
  const open = useCallback(
    (next: Page) => {
      if (next === page || !mayLeave()) return;
      pushPage(next);
      shown.current = entryNow();
      setPage(next);
    },
    [page],
  );
  return [page, open];
}

/** Entry of the tab's history that it is at; undefined in a browser from before 2026, which may not tell. */
function entryNow(): NavigationHistoryEntry | null | undefined {
  return (window as Partial<Window>).navigation?.currentEntry;
}

/** Has the tab stay at the entry of a page that it left, so that Back and Forward lead on from there as before. */
function stayAt(entry: ReturnType<typeof entryNow>, page: Page): void {
  const left = entryNow();
  if (!entry || !left || entry.index < 0) pushPage(page);
  else window.history.go(entry.index - left.index);
}

function pushPage(page: Page): void {
  const { pathname, search } = window.location;
  window.history.pushState(null, '', page === 'chat' ? pathname + search : `#${page}`);
}
