import type { RouteClient } from '@kith/contracts';

export interface CompanionPageProps {
  api: RouteClient;
  companionId: string;
  name: string;
  /** Number of times that something of the talk was forgotten or edited, or private talk switched, at any door. */
  talkChanges: number;
  now: Date;
}
