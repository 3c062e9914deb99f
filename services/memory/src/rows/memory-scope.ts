import type { Audience } from '@kith/contracts';

/** One person's memories with one companion, as told before one audience. Nothing is searched without it. */
export interface MemoryScope {
  personId: string;
  companionId: string;
  audience: Audience;
}
