import { useLayoutEffect, useRef, type RefObject } from 'react';

/** Gives the focus to `fallback`, which tells what came of it, where it was lost with something that is gone. */
export function useFocusKept(isThere: boolean, fallback: RefObject<HTMLElement | null>): void {
  const wasThere = useRef(false);
  // Before `keepFocus` gives it to the part of the page around it.
  useLayoutEffect(() => {
    const isGone = wasThere.current && !isThere;
    wasThere.current = isThere;
    if (isGone && document.activeElement === document.body) fallback.current?.focus({ preventScroll: true });
  }, [isThere, fallback]);
}
