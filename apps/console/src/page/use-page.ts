import { useCallback, useEffect, useState } from 'react';
import { pageIn, type Page } from './page-in.js';
import { mayLeave } from './unsaved.js';

/**
 * Keeps the page in the address' fragment: a reload shows it again, and Back leads to the page before. Where something
 * typed would be lost, the person is asked before another page is shown.
 */
export function usePage(): [Page, (page: Page) => void] {
  const [page, setPage] = useState(() => pageIn(window.location.hash));
  useEffect(() => {
    const onFragment = (): void => {
      const next = pageIn(window.location.hash);
      if (next === page) return;
      if (mayLeave()) setPage(next);
      else pushPage(page);
    };
    window.addEventListener('hashchange', onFragment);
    return () => window.removeEventListener('hashchange', onFragment);
  }, [page]);
  const open = useCallback(
    (next: Page) => {
      if (next === page || !mayLeave()) return;
      pushPage(next);
      setPage(next);
    },
    [page],
  );
  return [page, open];
}

function pushPage(page: Page): void {
  const { pathname, search } = window.location;
  window.history.pushState(null, '', page === 'chat' ? pathname + search : `#${page}`);
}
