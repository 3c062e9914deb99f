import { useCallback, useEffect, useState } from 'react';
import { pageIn, type Page } from './page-in.js';

/** Keeps the page in the address' fragment: a reload shows it again, and Back leads to the page before. */
export function usePage(): [Page, (page: Page) => void] {
  const [page, setPage] = useState(() => pageIn(window.location.hash));
  useEffect(() => {
    const onFragment = (): void => setPage(pageIn(window.location.hash));
    window.addEventListener('hashchange', onFragment);
    return () => window.removeEventListener('hashchange', onFragment);
  }, []);
  const open = useCallback((next: Page) => {
    const { pathname, search } = window.location;
    window.history.pushState(null, '', next === 'chat' ? pathname + search : `#${next}`);
    setPage(next);
  }, []);
  return [page, open];
}
