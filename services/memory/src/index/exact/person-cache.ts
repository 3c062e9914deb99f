import type { PersonVectors } from './person-vectors.js';

/** A person's points in memory, and the version of the store they show. */
export interface CachedPerson {
  vectors: PersonVectors;
  version: bigint;
  /** Only the newest points are there: all of them would take too much memory. */
  isPart: boolean;
}

/** Caches the people who were searched lately. Past the bound, the one searched longest ago is dropped. */
export class PersonCache {
  private readonly people = new Map<string, CachedPerson>();

  constructor(readonly maxBytes: number) {}

  get(key: string): CachedPerson | undefined {
    const person = this.people.get(key);
    if (!person) return undefined;
    this.people.delete(key);
    this.people.set(key, person);
    return person;
  }

  drop(key: string): void {
    this.people.delete(key);
  }

  dropAll(keys: (key: string) => boolean): void {
    for (const key of this.people.keys()) if (keys(key)) this.people.delete(key);
  }

  /** Puts a person in as the latest. One who is larger than the bound is kept alone. */
  put(key: string, person: CachedPerson): void {
    this.people.delete(key);
    this.people.set(key, person);
    let bytes = 0;
    for (const { vectors } of this.people.values()) bytes += vectors.bytes;
    for (const [oldest, { vectors }] of this.people) {
      if (bytes <= this.maxBytes || oldest === key) break;
      bytes -= vectors.bytes;
      this.people.delete(oldest);
    }
  }
}

/**
 * Bounds up to which the newest points of a person are loaded, some 150,000 lines of a chat, or 100,000 vectors of 1,024
 * numbers: of vectors, and of everything else, which counts towards V8's heap limit.
 */
export const LOADED = { heapBytes: 48 * 1024 * 1024, vectorBytes: 100 * 1024 * 1024 };

/** Share of the bounds past which vectors are loaded again. Without that margin, each new point would load them. */
export const HELD_SHARE = 1.25;

/** Tells whether somebody's points take more than a share of the bounds. */
export function isOver({ bytes, heapBytes }: PersonVectors, bounds: typeof LOADED, share: number): boolean {
  return heapBytes > bounds.heapBytes * share || bytes - heapBytes > bounds.vectorBytes * share;
}
