import type { Embedder } from './embedder.js';

/** The embedder of the settings in use, and that of those that are to follow. */
export class Embedders {
  constructor(
    readonly current: Embedder,
    readonly next: Embedder | null,
  ) {}

  /** The one that embeds into a space; the current one for a space that nobody embeds into any more. */
  of(space: string | undefined): Embedder {
    return this.next !== null && this.next.space.id === space ? this.next : this.current;
  }
}
