import { People, type Database, type Writer } from '@kith/database';
import type { Logger } from 'pino';
import { lockPeople } from '../rows/memory-row.js';

/** Time for which uses are collected, and then written together: who talks recalls much the same every few seconds. */
const WRITE_AFTER_MS = 1_000;

interface Uses {
  count: number;
  /** Time of the last one by the asker's clock, in milliseconds. */
  lastAt: number;
}

/** Counts what was recalled, after the answers went out: being recalled keeps a memory fresh. */
export class UseCounter {
  private waiting = new Map<string, Map<string, Uses>>();
  private writing: Promise<void> = Promise.resolve();
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly database: Database,
    private readonly logger: Logger,
  ) {}

  add(personId: string, ids: readonly string[], at: Date): void {
    const uses = this.waiting.get(personId) ?? new Map<string, Uses>();
    this.waiting.set(personId, uses);
    for (const id of ids) {
      const before = uses.get(id) ?? { count: 0, lastAt: 0 };
      uses.set(id, { count: before.count + 1, lastAt: Math.max(before.lastAt, at.getTime()) });
    }
    this.timer ??= setTimeout(() => void this.flush(), WRITE_AFTER_MS);
  }

  /** Writes everything counted so far. */
  flush(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    const batch = this.waiting;
    this.waiting = new Map();
    this.writing = this.writing.then(() => this.write(batch));
    return this.writing;
  }

  private async write(batch: ReadonlyMap<string, ReadonlyMap<string, Uses>>): Promise<void> {
    const [first] = batch.keys();
    if (first === undefined) return;
    try {
      await this.database.write({ personId: first }, (tx) => {
        const people = new People(tx);
        return tx.last(() =>
          Promise.all([
            lockPeople(tx, [...batch.keys()]),
            ...[...batch].map(([personId, uses]) => people.of(personId, (its) => saveUses(its, uses))),
          ]),
        );
      });
    } catch (error) {
      // The answers were right without it; the next recall counts again.
      this.logger.warn({ err: error }, 'could not count what was recalled');
    }
  }
}

async function saveUses(tx: Writer, uses: ReadonlyMap<string, Uses>): Promise<void> {
  const ids = [...uses.keys()];
  const counts = [...uses.values()].map(({ count }) => count);
  const times = [...uses.values()].map(({ lastAt }) => new Date(lastAt));
  // Without a join, so that each row is found by its id.
  await tx.$executeRaw`
    UPDATE memories SET times_recalled = times_recalled + (${counts}::int[])[array_position(${ids}::uuid[], id)],
      last_recalled_at = greatest(last_recalled_at, (${times}::timestamptz[])[array_position(${ids}::uuid[], id)])
    WHERE id = ANY (${ids}::uuid[])`;
}
