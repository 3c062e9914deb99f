import type { Audience } from '@kith/contracts';

/** A person and the companion whose memories of them are meant. */
export interface Pair {
  personId: string;
  companionId: string;
}

/** A person, and the companion whose memories of them are meant; all companions without one. */
export interface Owner {
  personId: string;
  companionId?: string;
}

/** One person's memories with one companion, as told before one audience. Nothing is searched without it. */
export interface MemoryScope extends Pair {
  audience: Audience;
}
