import { z } from 'zod';

/**
 * Record of a job whose process died while it did the job. It is kept in the job's hash in Redis, is written before the
 * job is done again, and is deleted after the next try that the process survives.
 */
const Suspicion = z.object({
  /** Pieces of it that ended a process. */
  endedBy: z.array(z.string()),
  /** The piece in work; null while no piece is named. */
  inWork: z.string().nullable(),
  /** False where another job ran beside it, which may have ended the process. */
  isAlone: z.boolean().default(true),
  /** Earlier deaths that happened while it was not alone. */
  inCompany: z.number().default(0),
});
export type Suspicion = z.infer<typeof Suspicion>;

/** Deaths in company that are put down to others: each was beside another job that took long. */
export const MAX_IN_COMPANY = 4;

/**
 * Decides how a suspected job is done.
 * @param stored what its last try left; null where this is its first as a suspect
 * @returns null where the job is to be given up: it was done alone, or often, and its process died again
 */
export function decideSuspicion(stored: string | null): Suspicion | null {
  if (stored === null) return { endedBy: [], inWork: null, isAlone: true, inCompany: 0 };
  const { endedBy, inWork, isAlone, inCompany } = Suspicion.parse(JSON.parse(stored));
  if (!isAlone && inCompany < MAX_IN_COMPANY)
    return { endedBy, inWork: null, isAlone: true, inCompany: inCompany + 1 };
  // The same piece ended a process twice: the job does not leave it out as it should.
  if (inWork === null || endedBy.includes(inWork)) return null;
  return { endedBy: [...endedBy, inWork], inWork: null, isAlone: true, inCompany: 0 };
}
