import { createHash } from 'node:crypto';
import type { ReadEvent } from './prospects.js';

/** Greetings, thanks and the like come again and again; a few thousand of them take about a megabyte. */
const MAX_READINGS = 4_000;

/**
 * What the model read of words it was shown before; the least recently used go first. Holds no words: the keys
 * are digests, and it lasts as long as the process.
 */
export class ReadingCache {
  readonly #readings = new Map<string, readonly ReadEvent[]>();

  constructor(private readonly limit = MAX_READINGS) {}

  /** Changes with the companion, the instructions to the model, and the words: those said, and those that lay ahead. */
  keyOf(companionId: string, instructions: string, ...said: (readonly string[])[]): string {
    return createHash('sha256')
      .update(JSON.stringify([companionId, instructions, ...said]))
      .digest('base64');
  }

  get(key: string): readonly ReadEvent[] | undefined {
    const reading = this.#readings.get(key);
    if (reading) this.set(key, reading);
    return reading;
  }

  set(key: string, reading: readonly ReadEvent[]): void {
    this.#readings.delete(key);
    this.#readings.set(key, reading);
    const [oldest] = this.#readings.keys();
    if (this.#readings.size > this.limit && oldest !== undefined) this.#readings.delete(oldest);
  }
}
