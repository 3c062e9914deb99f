import type { Parsed } from '../local/parsed.js';
import type { TakeJob } from '../local/neighbours.js';

interface DirectJob {
  readonly payload: Parsed;
  readonly id: string;
  /** Queues the job instead. */
  readonly orElse: () => Promise<void>;
  readonly end: () => void;
}

/** Most jobs that may wait here, more than do in any ordinary hour. Beyond it jobs go to the queue, where another replica may take them. */
const MAX_WAITING = 256;

/**
 * Does the jobs of one contract in this process as soon as they are ordered, without a queue: a bounded number at a time,
 * in the order they came. A job that fails is queued, and has its tries there.
 */
export class DirectJobs {
  private readonly waiting: DirectJob[] = [];
  /** Ends of the jobs that wait or run, by id. */
  private readonly ends = new Map<string, Promise<void>>();
  private readonly running = new Set<Promise<void>>();
  private isClosed = false;

  /**
   * @param run does one job; throws when it failed
   * @param onLost hears of a job that failed and could not be queued either
   */
  constructor(
    private readonly run: (payload: Parsed, id: string) => Promise<void>,
    private readonly concurrency: number,
    private readonly onLost: (id: string, error: unknown) => void,
  ) {}

  /** Begins a job, now or as soon as there is room. The same id again, before it is done, adds nothing. */
  readonly take: TakeJob = ({ payload, id }, orElse) => {
    if (this.isClosed || this.waiting.length >= MAX_WAITING) return null;
    const known = this.ends.get(id);
    if (known) return known;
    const ended = new Promise<void>((end) => this.waiting.push({ payload, id, orElse, end }));
    this.ends.set(id, ended);
    this.next();
    return ended;
  };

  /** Takes nothing more, queues what waits, and resolves when what runs is done. */
  async close(): Promise<void> {
    this.isClosed = true;
    const queued = this.waiting.splice(0).map((job) => this.queue(job));
    await Promise.all([...queued, ...this.running]);
  }

  private next(): void {
    while (this.running.size < this.concurrency) {
      const job = this.waiting.shift();
      if (!job) return;
      const run = this.run(job.payload, job.id)
        .catch(() => this.queue(job))
        .finally(() => {
          this.ends.delete(job.id);
          job.end();
          this.running.delete(run);
          this.next();
        });
      this.running.add(run);
    }
  }

  private async queue({ id, orElse, end }: DirectJob): Promise<void> {
    await orElse().catch((error: unknown) => this.onLost(id, error));
    end();
  }
}
