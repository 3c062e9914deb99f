import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

const current = new AsyncLocalStorage<string>();

/** The id of what is being done right now, from door to last job; undefined outside of any. */
export function currentCorrelationId(): string | undefined {
  return current.getStore();
}

/** Runs `fn`, and all it awaits, under `id`. A door calls it once; the messaging carries it on. */
export function withCorrelationId<T>(id: string, fn: () => T): T {
  return current.run(id, fn);
}

/** The current id, or a new one where work begins without a door, such as a scheduled job. */
export function correlationIdOrNew(): string {
  return currentCorrelationId() ?? randomUUID();
}
