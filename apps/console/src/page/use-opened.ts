import { useEffect, useRef, useState, type KeyboardEvent, type RefCallback } from 'react';
import { flushSync } from 'react-dom';
import { isComposing } from './is-composing.js';

/** Keeps the form or question that a button opened in its place, so that it works by keyboard alone. */
export function useOpened<T extends string>() {
  const [opened, setOpened] = useState<{ name: T } | null>(null);
  const latest = useRef(opened);
  useEffect(() => {
    latest.current = opened;
  });
  const openers = useRef(new Map<T, HTMLButtonElement | null>());
  /** Closes it, and gives the focus back to its opener. Once it was left, that of an earlier render does nothing. */
  const leave = (): void => {
    // The answer that closes it may come late: it must not close one opened since, even by the same name.
    if (opened === null || latest.current !== opened) return;
    // The opener may be shown again only now.
    flushSync(() => setOpened(null));
    // Whoever went on elsewhere meanwhile stays there.
    if (document.activeElement === document.body) openers.current.get(opened.name)?.focus();
  };
  return {
    /** Name of what is open; null while nothing is. */
    opened: opened?.name ?? null,
    open: (name: T) => setOpened({ name }),
    leave,
    /** Ref of the button that opens it. */
    openerOf:
      (name: T): RefCallback<HTMLButtonElement> =>
      (button) =>
        void openers.current.set(name, button),
    /** Has Escape leave, for the element that holds what is open. */
    onKeyDown: (event: KeyboardEvent) => {
      // While an input method composes, Escape is its own.
      if (event.key === 'Escape' && !isComposing(event)) leave();
    },
  };
}
