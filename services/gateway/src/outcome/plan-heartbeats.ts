import type { HeartbeatTrigger, TurnOrigin } from '@kith/contracts';
import type { FinishedTurn } from '../answer/finished-turn.js';

/** Fullness of the room for talk, some twenty lines before the older lines are told in short. */
const NEARLY_FULL = 0.85;

/** Decides which quiet turns a turn gives reason for. They are about talk between two alone. Pure. */
export function planHeartbeats(
  origin: TurnOrigin,
  kind: 'direct' | 'channel',
  { outcome, noticed }: Pick<FinishedTurn, 'outcome' | 'noticed'>,
): HeartbeatTrigger[] {
  if (origin !== 'message' || kind !== 'direct' || outcome !== 'answered' || !noticed) return [];
  return [
    ...(noticed.fullness >= NEARLY_FULL ? (['pressure'] as const) : []),
    ...(noticed.unsettled > 0 ? (['contradiction'] as const) : []),
  ];
}
