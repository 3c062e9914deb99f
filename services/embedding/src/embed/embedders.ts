import type { Embedder } from './embedder.js';

/** Holds the embedder in use, and the one that is to follow it. */
export class Embedders {
  constructor(
    readonly current: Embedder,
    readonly next: Embedder | null,
  ) {}

  /** Picks the embedder of a space; the current one for a space that neither embeds into. */
  of(space: string | undefined): Embedder {
    return this.next !== null && this.next.space.id === space ? this.next : this.current;
  }

  async close(): Promise<void> {
    await Promise.all([this.current.close(), this.next?.close()]);
  }
}
