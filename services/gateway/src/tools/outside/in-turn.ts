/**
 * Makes a function that does the work again and again, never twice at a time: of two lists that are read at once, the older
 * one might end last. A run that is already waiting serves further calls, too.
 */
export function inTurn(work: () => Promise<void>): () => Promise<void> {
  let last: Promise<void> = Promise.resolve();
  let waiting: Promise<void> | null = null;
  return () => {
    if (waiting) return waiting;
    waiting = last.then(() => {
      waiting = null;
      return work();
    });
    last = waiting.catch(() => undefined);
    return waiting;
  };
}
