import { useEffect, useRef, type RefObject } from 'react';

/** Gives the focus to `fallback` where it was lost with something that is gone, so that a keyboard goes on nearby. */
export function useFocusKept(isThere: boolean, fallback: RefObject<HTMLElement | null>): void {
  const wasThere = useRef(false);
  useEffect(() => {
    const isGone = wasThere.current && !isThere;
    wasThere.current = isThere;
    if (isGone && document.activeElement === document.body) fallback.current?.focus({ preventScroll: true });
  }, [isThere, fallback]);
}
