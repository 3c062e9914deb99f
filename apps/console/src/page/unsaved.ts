import { useEffect, useSyncExternalStore } from 'react';

/** Number of forms on this page with words that are kept nowhere else. */
let unsaved = 0;
const listeners = new Set<() => void>();

function countUnsaved(difference: number): void {
  unsaved += difference;
  for (const listener of listeners) listener();
}

function listen(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Has the browser ask before a tab is closed, or loaded anew, that holds changes. */
export function useAskBeforeClose(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return undefined;
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener('beforeunload', ask);
    return () => window.removeEventListener('beforeunload', ask);
  }, [isChanged]);
}

/** Has the person asked before a form goes in which they typed: with its tab, or by `mayLeave` with its page. */
export function useUnsaved(isTyped: boolean): void {
  useAskBeforeClose(isTyped);
  useEffect(() => {
    if (!isTyped) return undefined;
    countUnsaved(1);
    return () => countUnsaved(-1);
  }, [isTyped]);
}

/** Tells whether a form on this page holds what was typed and is not saved. */
export function useHasUnsaved(): boolean {
  return useSyncExternalStore(listen, () => unsaved > 0);
}

/** Asks whether to leave a page with what was typed there and is not saved; true where nothing is. */
export function mayLeave(): boolean {
  return unsaved === 0 || window.confirm('What you typed here is not saved. Leave it, and lose that?');
}
