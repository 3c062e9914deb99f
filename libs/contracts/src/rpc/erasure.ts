import { z } from 'zod';
import { IsoTime } from '../time/iso-time.js';
import { defineRequest } from './define.js';
import { PersonId } from '../values/words.js';

/** Number of rows or points of a person in each store of a service. */
export const Holdings = z.record(z.string(), z.number().int().nonnegative());
export type Holdings = z.infer<typeof Holdings>;

/**
 * Erases what a service holds of a person, and counts what is left; with `preview` it only counts. Safe to repeat.
 * Nothing new is written meanwhile: the database refuses it once a person is erased.
 */
export function erasePerson(pattern: string) {
  return defineRequest(pattern, {
    request: z.object({ personId: PersonId, preview: z.boolean() }),
    response: z.object({ holdings: Holdings }),
    timeoutMs: 60_000,
  });
}

/** Holdings of all services of a person, by service and store. */
export const PersonHoldings = z.object({
  personId: PersonId,
  stores: z.record(z.string(), Holdings),
  /** Services that do not answer: what they hold is not counted. They can be asked to erase all the same. */
  silent: z.array(z.string()),
});
export type PersonHoldings = z.infer<typeof PersonHoldings>;

/** Counts the entries of all stores of all services. */
export function countHoldings(stores: PersonHoldings['stores']): number {
  return Object.values(stores)
    .flatMap((holdings) => Object.values(holdings))
    .reduce((sum, count) => sum + count, 0);
}

/** The receipt of an erasure. It names nobody: the id is no person's any more. */
export const ErasureView = z.object({
  personId: PersonId,
  askedBy: z.enum(['person', 'operator']),
  askedAt: IsoTime,
  /** Erased rows by service and store; a service that is not listed yet is not counted yet. */
  stores: z.record(z.string(), Holdings),
  /** Null while some service has not answered: it is tried until it does. */
  finishedAt: IsoTime.nullable(),
});
export type ErasureView = z.infer<typeof ErasureView>;
