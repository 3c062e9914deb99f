import { AppError, isErased, isLocked, isRetryable, isUnavailable } from '@kith/contracts';

/**
 * Works on each item, one after the other, also when one fails. When all were tried it throws one of the failures, so
 * that the job comes again for what is left: the first that another try may mend, if there is one.
 */
export async function oneByOne<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => failures.push(error));
  if (failures.length === 0) return;
  throw failures.find(mayMend) ?? failures.find((failure) => !isErased(failure)) ?? failures[0];
}

/**
 * Items whose rows stay locked, after which the rest waits for another try: each takes ten seconds, and many of them may
 * be of one person, or wait for something that all need.
 */
const MAX_LOCKED = 3;

/**
 * Works on all items at once; where that fails for a reason that may lie in one of them, on each by itself, as
 * `oneByOne` does.
 */
export async function allOrOneByOne<T>(items: readonly T[], work: (items: readonly T[]) => Promise<void>) {
  if (items.length === 0) return;
  try {
    await work(items);
  } catch (error) {
    if (items.length === 1 || (isUnavailable(error) && !isLocked(error))) throw error;
    let locked = 0;
    await oneByOne(items, async (item) => {
      if (locked === MAX_LOCKED) throw error;
      try {
        await work([item]);
      } catch (failure) {
        if (isLocked(failure)) locked += 1;
        throw failure;
      }
    });
  }
}

function mayMend(failure: unknown): boolean {
  return !(failure instanceof AppError) || isRetryable(failure.code);
}
