import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { z } from 'zod';
import { ASKS_AGAIN_MS, type Suspect, type SuspectDoor } from './suspect-door.js';

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
type Suspicion = z.infer<typeof Suspicion>;

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

/** Field of a job's hash that has the suspicion on it. */
export const SUSPICION_FIELD = 'suspicion';
// A finished job has no hash any more. Writing to it would make one, which would look like an unfinished job.
const MARK = `
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], ARGV[1], ARGV[2]) end`;

/**
 * Run of a suspect: a job whose process died while it did the job. That may be chance, since a process dies with all its
 * jobs in work. So suspects are done again one at a time, with nothing beside them, and a suspect whose process dies then is
 * the cause.
 */
export class SuspectRun implements Suspect {
  private suspicion: Suspicion | null = null;
  private isOvertaken = false;

  /** @param key of the job's hash */
  constructor(
    private readonly door: SuspectDoor,
    private readonly connection: Redis,
    private readonly key: string,
    readonly aloneForMs: number,
  ) {}

  /** True when its process died again when it was done alone: it is not to be done any more. */
  get isGivenUp(): boolean {
    return this.suspicion === null;
  }

  /** Pieces that ended a process. */
  get endedBy(): readonly string[] {
    return this.suspicion?.endedBy ?? [];
  }

  /** Doubles with each death in company, so that jobs which take long are done in the end. */
  get patienceMs(): number {
    return this.aloneForMs * 2 ** (this.suspicion?.inCompany ?? 0);
  }

  /** Learns what its last try left. */
  async load(): Promise<void> {
    this.suspicion = decideSuspicion(await this.connection.hget(this.key, SUSPICION_FIELD));
  }

  /** Notes which piece is in work from now on. It is alone with each piece, and waits for that where it was overtaken. */
  async begin(piece: string): Promise<void> {
    this.isOvertaken = false;
    while ((await this.door.enter(this)) !== 'in') {
      await sleep(ASKS_AGAIN_MS);
      this.isOvertaken = false;
    }
    if (this.suspicion) this.suspicion = { ...this.suspicion, inWork: piece };
    await this.mark();
  }

  /** Takes the mark back, or lets none be made: should the process die from here on, it may be another's doing. */
  async overtaken(): Promise<void> {
    this.isOvertaken = true;
    await this.mark();
  }

  /** Marks it as in work, before it is. */
  async mark(): Promise<void> {
    if (!this.suspicion) return;
    const marked: Suspicion = { ...this.suspicion, isAlone: !this.isOvertaken };
    await this.connection.eval(MARK, 1, this.key, SUSPICION_FIELD, JSON.stringify(marked));
  }
}
