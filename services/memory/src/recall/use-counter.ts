import type { Database } from '@kith/database';
import type { Logger } from 'pino';

/** Uses are written together: whoever talks recalls every few seconds, and much the same. */
const WRITE_AFTER_MS = 1_000;

interface Uses {
  count: number;
  /** By the asker's clock, in milliseconds. */
  lastAt: number;
}

/** Counts what was recalled, after the answers went out: being recalled keeps a memory fresh. */
export class UseCounter {
  #waiting = new Map<string, Map<string, Uses>>();
  #writing: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  add(personId: string, ids: readonly string[], at: Date): void {
    const uses = this.#waiting.get(personId) ?? new Map<string, Uses>();
    this.#waiting.set(personId, uses);
    for (const id of ids) {
      const before = uses.get(id) ?? { count: 0, lastAt: 0 };
      uses.set(id, { count: before.count + 1, lastAt: Math.max(before.lastAt, at.getTime()) });
    }
    this.#timer ??= setTimeout(() => void this.settled(), WRITE_AFTER_MS);
  }

  /** Resolves when everything counted so far is written. */
  settled(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const batch = this.#waiting;
    this.#waiting = new Map();
    this.#writing = this.#writing.then(async () => {
      for (const [personId, uses] of batch) await this.#write(personId, uses);
    });
    return this.#writing;
  }

  async #write(personId: string, uses: ReadonlyMap<string, Uses>): Promise<void> {
    const ids = [...uses.keys()];
    const counts = ids.map((id) => uses.get(id)!.count);
    const times = ids.map((id) => new Date(uses.get(id)!.lastAt));
    try {
      await this.database.asPerson(
        personId,
        (tx) => tx.$executeRaw`
          UPDATE memories SET times_recalled = times_recalled + used.count,
            last_recalled_at = greatest(last_recalled_at, used.at)
          FROM unnest(${ids}::uuid[], ${counts}::int[], ${times}::timestamptz[]) AS used (id, count, at)
          WHERE memories.id = used.id`,
      );
    } catch (error) {
      // The answers were right without it; the next recall counts again.
      this.logger.warn({ err: error }, 'could not count what was recalled');
    }
  }
}
