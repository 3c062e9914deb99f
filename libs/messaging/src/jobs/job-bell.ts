import { setTimeout as sleep } from 'node:timers/promises';
import type { Redis } from 'ioredis';
import { BLOCK_MS, closeConnection, pauseAfter, untilReady } from '../redis/connection.js';
import type { MessagingLogger } from '../logger.js';

/** Marker that BullMQ leaves for its workers when a queue has a job. */
export interface Marker {
  readonly member: string;
  /** When the job is due, in milliseconds since 1970; 0 for at once. */
  readonly score: number;
}

const AT_ONCE: Marker = { member: '0', score: 0 };
// A read that has been sent and not begun can't be ended yet: it is tried again after this pause.
const UNBLOCK_AGAIN_MS = 5;
// Redis may have fallen silent. A marker that gets lost this way is made up for by the next look at the queue.
const END_WITHIN_MS = 500;

/** Waits for jobs of one queue. */
export class BellPlace {
  private waiting: { end(marker: Marker | null): void; isTimed: boolean } | null = null;
  private missed: Marker | null = null;

  constructor(
    readonly markerKey: string,
    private readonly hasRoomForTwo: () => boolean,
    private readonly onWait: () => void,
  ) {}

  /** True while the worker would take a job. Otherwise the job's marker is left to another replica. */
  get isOpen(): boolean {
    return this.waiting !== null || this.hasRoomForTwo();
  }

  /** True while the worker knows when the next delayed job is due. */
  get isTimed(): boolean {
    return this.waiting?.isTimed ?? false;
  }

  /** Resolves with the next marker, or null when the time is over. */
  wait(forMs: number, isTimed: boolean): Promise<Marker | null> {
    const { missed } = this;
    this.missed = null;
    if (missed) return Promise.resolve(missed);
    return new Promise((resolve) => {
      const end = (marker: Marker | null) => {
        clearTimeout(timer);
        this.waiting = null;
        resolve(marker);
      };
      const timer = setTimeout(() => end(null), forMs).unref();
      this.waiting = { end, isTimed };
      this.onWait();
    });
  }

  /** Has the worker look for a job: now, or as soon as it waits again. */
  ring(marker: Marker = AT_ONCE): void {
    if (this.waiting) this.waiting.end(marker);
    else if (!this.missed || marker.score < this.missed.score) this.missed = marker;
  }

  cancel(): void {
    this.waiting?.end(null);
  }
}

/**
 * Waits for the jobs of all of a service's queues on one connection, in one read that is sent anew every `BLOCK_MS`:
 * BullMQ's own workers each hold a connection and poll their queue when nothing comes.
 */
export class JobBell {
  private readonly places = new Set<BellPlace>();
  private readonly heard: Promise<void>;
  private readerId: number | null = null;
  private read: {
    readonly keys: ReadonlySet<string>;
    readonly ended: Promise<unknown>;
    isOver: boolean;
  } | null = null;
  private wake: (() => void) | null = null;
  private isWaking = false;
  private isClosed = false;
  /** A marker may have been taken by a read whose answer was lost. */
  private isSuspect = false;

  constructor(
    private readonly reader: Redis,
    /** Connection for everything but the read that waits. */
    private readonly commands: Redis,
    private readonly log: MessagingLogger,
  ) {
    reader.on('close', () => {
      this.readerId = null;
      this.isSuspect = true;
    });
    this.heard = this.hearForEver();
  }

  /** @param hasRoomForTwo tells whether the worker could take two more jobs: it then hears of one while it takes one */
  join(markerKey: string, hasRoomForTwo: () => boolean): BellPlace {
    const place = new BellPlace(markerKey, hasRoomForTwo, () => this.includeAll());
    this.places.add(place);
    this.includeAll();
    return place;
  }

  leave(place: BellPlace): void {
    this.places.delete(place);
    place.cancel();
  }

  /** Ends the read without losing the marker that Redis may already have given to it. */
  async close(): Promise<void> {
    this.isClosed = true;
    this.wake?.();
    if (this.reader.status === 'ready' && this.commands.status === 'ready')
      await Promise.race([this.endRead().catch(() => undefined), sleep(END_WITHIN_MS)]);
    closeConnection(this.reader);
    await this.heard;
  }

  private async hearForEver(): Promise<void> {
    while (!this.hasClosed()) {
      if (this.openKeys().size === 0) {
        await new Promise<void>((resolve) => (this.wake = resolve));
        continue;
      }
      try {
        await untilReady(this.reader, 1_000);
        this.readerId ??= await this.reader.client('ID');
        if (this.isSuspect) {
          this.isSuspect = false;
          for (const place of this.places) place.ring();
        }
        const keys = this.openKeys();
        const popped = keys.size > 0 ? await this.popFrom(keys) : null;
        if (popped) this.tell(popped);
      } catch (error) {
        if (this.hasClosed()) return;
        await pauseAfter(error, this.reader, this.log, 'waiting for jobs was refused');
      }
    }
  }

  /** A method, because TypeScript narrows a field and does not notice that it changes during an `await`. */
  private hasClosed(): boolean {
    return this.isClosed;
  }

  private openKeys(): Set<string> {
    return new Set([...this.places].filter(({ isOpen }) => isOpen).map(({ markerKey }) => markerKey));
  }

  private async popFrom(keys: ReadonlySet<string>) {
    const ended = this.reader.bzpopmin([...keys], BLOCK_MS / 1_000);
    const read = { keys, ended: ended.catch(() => undefined), isOver: false };
    this.read = read;
    try {
      return await ended;
    } finally {
      read.isOver = true;
    }
  }

  private tell([key, member, score]: [key: string, member: string, score: string]): void {
    for (const place of Array.from(this.places)) {
      if (place.markerKey !== key) continue;
      place.ring({ member, score: Number(score) });
      // Redis serves the first of the keys that has something: now it is the others' turn.
      this.places.delete(place);
      this.places.add(place);
    }
  }

  /** Has the read wait for every queue whose worker would take a job. */
  private includeAll(): void {
    this.wake?.();
    if (!this.isWaking) void this.wakeRead();
  }

  private async wakeRead(): Promise<void> {
    this.isWaking = true;
    try {
      // By the time this read is known to be over, the next may have begun without a queue that was opened meanwhile.
      while (!this.isClosed && this.misses(this.openKeys())) await this.endRead();
    } catch {
      // The connection is gone, and the read with it.
    } finally {
      this.isWaking = false;
    }
  }

  private misses(keys: ReadonlySet<string>): boolean {
    const { read } = this;
    if (read === null || read.isOver || this.readerId === null) return false;
    return [...keys].some((key) => !read.keys.has(key));
  }

  private async endRead(): Promise<void> {
    const { read } = this;
    while (read && !read.isOver && this.readerId !== null) {
      await this.commands.client('UNBLOCK', this.readerId);
      await Promise.race([read.ended, sleep(UNBLOCK_AGAIN_MS)]);
    }
  }
}
