import { useRef, useState, type KeyboardEvent, type RefCallback } from 'react';
import { flushSync } from 'react-dom';
import { isComposing } from './is-composing.js';

interface Opened<T extends string> {
  /** Name of what is open; null while nothing is. */
  opened: T | null;
  open: (name: T) => void;
  /** Closes it, and gives the focus back to its opener. */
  leave: () => void;
  /** Ref of the button that opens it. */
  openerOf: (name: T) => RefCallback<HTMLButtonElement>;
  /** Has Escape leave, for the element that holds what is open. */
  onKeyDown: (event: KeyboardEvent) => void;
}

/** Keeps what is opened at the place of a button, a form or a question, such that it works by keyboard alone. */
export function useOpened<T extends string>(): Opened<T> {
  const [opened, setOpened] = useState<T | null>(null);
  const openers = useRef(new Map<T, HTMLButtonElement | null>());
  const leave = (): void => {
    // The opener may be shown again only now.
    flushSync(() => setOpened(null));
    if (opened !== null) openers.current.get(opened)?.focus();
  };
  return {
    opened,
    open: setOpened,
    leave,
    openerOf: (name) => (button) => void openers.current.set(name, button),
    onKeyDown: (event) => {
      // While an input method composes, Escape is its own.
      if (event.key === 'Escape' && !isComposing(event)) leave();
    },
  };
}
