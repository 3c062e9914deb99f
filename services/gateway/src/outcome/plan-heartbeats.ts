import type { HeartbeatTrigger, TurnOrigin } from '@kith/contracts';
import type { FinishedTurn } from '../answer/finished-turn.js';

/** Share of the room for talk from which on a conversation's older lines are soon told in short: some twenty lines before. */
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
