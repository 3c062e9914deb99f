import type { HeartbeatTrigger, TurnOrigin, TurnOutcome } from '@kith/contracts';
import type { FinishedTurn } from '../answer/finished-turn.js';

/** Fullness of the room for talk, some twenty lines before the older lines are told in short. */
const NEARLY_FULL = 0.85;

/** Work that must follow a turn. */
export type FollowUp = 'remember' | 'appraise' | 'notice';

/** Kind of a turn, by which its follow-ups are known. */
export interface TurnKind {
  origin: TurnOrigin;
  outcome: TurnOutcome;
}

/**
 * Lists what follows a turn. Only what the companion heard is felt and remembered; that someone spoke is noticed
 * always. At a heartbeat nobody spoke, and nobody was spoken to.
 */
export function followUpsOf({ origin, outcome }: TurnKind): FollowUp[] {
  if (origin === 'heartbeat') return [];
  const wasHeard = origin === 'message' && outcome !== 'silent' && outcome !== 'dropped';
  return wasHeard ? ['remember', 'appraise', 'notice'] : ['notice'];
}

/** Turn of which not everything that follows is known to be done. */
export interface OpenTurn extends TurnKind {
  turnId: string;
  /** The problem it is known to have. */
  problem: string | null;
  /** True where it ended so long ago that services no longer know that they handled it. */
  isOld: boolean;
}

/** Lists what may be open of a turn. An old one is open only because memory reads it again, with other words. */
export function openFollowUpsOf(turn: OpenTurn): FollowUp[] {
  return followUpsOf(turn).filter((followUp) => followUp === 'remember' || !turn.isOld);
}

/** Answer of a service about turns it was asked about. */
export interface Answer {
  unfinished: ReadonlySet<string>;
  dead: ReadonlySet<string>;
}

/** Decision on open turns. */
export interface FollowUpPlan {
  /** Turns of which everything is done. */
  done: string[];
  /** Follow-ups to be ordered again. */
  order: { turnId: string; followUp: FollowUp }[];
  /** Turns whose problem has changed, or gone. */
  problems: { turnId: string; problem: string | null }[];
}

/**
 * Decides what becomes of open turns. A follow-up whose service did not answer counts as open, and is left to
 * the next round: it may well be done.
 */
export function planFollowUps(
  turns: readonly OpenTurn[],
  answers: Partial<Record<FollowUp, Answer>>,
): FollowUpPlan {
  const plan: FollowUpPlan = { done: [], order: [], problems: [] };
  for (const turn of turns) {
    const { turnId } = turn;
    const followUps = openFollowUpsOf(turn);
    const unknown = followUps.filter((followUp) => !answers[followUp]);
    const unfinished = followUps.filter((followUp) => answers[followUp]?.unfinished.has(turnId));
    const dead = unfinished.filter((followUp) => answers[followUp]?.dead.has(turnId));
    for (const followUp of unfinished) if (!dead.includes(followUp)) plan.order.push({ turnId, followUp });
    if (unknown.length > 0) continue;
    if (unfinished.length === 0) plan.done.push(turnId);
    const problem = dead.length > 0 ? `given up: ${dead.join(', ')}` : null;
    if (problem !== turn.problem) plan.problems.push({ turnId, problem });
  }
  return plan;
}

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
