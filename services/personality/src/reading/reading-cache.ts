import { createHash } from 'node:crypto';
import type { ReadEvent } from '../affect/prospect.js';

/** Greetings, thanks and the like come again and again; a few thousand of them take about a megabyte. */
const MAX_READINGS = 4_000;

/**
 * Cache of the model's readings; the least recently used go first. Holds no words, as nobody would forget them here: its
 * keys are digests, and a reading with the words of a hope or fear is not kept. Lasts as long as the process.
 */
export class ReadingCache {
  private readonly readings = new Map<string, readonly ReadEvent[]>();

  constructor(private readonly limit = MAX_READINGS) {}

  /** Builds a key that changes with the companion, the instructions, the words said and the prospects. */
  keyOf(companionId: string, instructions: string, ...said: (readonly string[])[]): string {
    return createHash('sha256')
      .update(JSON.stringify([companionId, instructions, ...said]))
      .digest('base64');
  }

  get(key: string): readonly ReadEvent[] | undefined {
    const reading = this.readings.get(key);
    if (reading) this.set(key, reading);
    return reading;
  }

  set(key: string, reading: readonly ReadEvent[]): void {
    if (reading.some(({ about }) => about !== undefined)) return;
    this.readings.delete(key);
    this.readings.set(key, reading);
    const [oldest] = this.readings.keys();
    if (this.readings.size > this.limit && oldest !== undefined) this.readings.delete(oldest);
  }
}
