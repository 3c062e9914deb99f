import { firstOf, type ReadTurn } from '@kith/contracts';
import { transcriptOf, type FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';

/** Time for which a turn is kept: several jobs that follow it ask for it within seconds. */
const KEPT_MS = 15_000;
/** Turns in memory: some seconds of a busy suite. */
const MAX_KEPT = 500;

/** Turns that were committed here a moment ago, so that the jobs after them need not read them from Postgres. */
export class RecentTurns {
  private readonly turns = new Map<string, { turn: ReadTurn; until: number }>();

  /** Keeps a turn that was committed. */
  add(claim: Claim, turn: FinishedTurn): void {
    const now = performance.now();
    for (const [id, { until }] of this.turns) {
      if (until > now && this.turns.size < MAX_KEPT) break;
      this.turns.delete(id);
    }
    this.turns.set(turn.turnId, { turn: readable(claim, turn), until: now + KEPT_MS });
  }

  /** Drops the turns of a person. */
  forget(personId: string): void {
    for (const [id, { turn }] of this.turns) if (turn.personId === personId) this.turns.delete(id);
  }

  /** Returns a turn while it is kept. */
  get(turnId: string): ReadTurn | undefined {
    const kept = this.turns.get(turnId);
    return kept && kept.until > performance.now() ? kept.turn : undefined;
  }
}

function readable(claim: Claim, turn: FinishedTurn): ReadTurn {
  const first = firstOf(claim.burst);
  return {
    turnId: turn.turnId,
    conversationId: claim.conversationId,
    companionId: claim.companionId,
    personId: claim.personId,
    displayName: turn.personName,
    audience: claim.audience,
    outcome: turn.outcome,
    reason: turn.reason,
    door: first.door,
    origin: first.origin,
    ...(first.origin === 'outreach' && { attemptId: first.externalId }),
    startedAt: turn.startedAt.toISOString(),
    endedAt: turn.endedAt.toISOString(),
    messages: transcriptOf(claim, turn).map(({ role, external_id: externalId, text, at }) => ({
      role,
      personId: role === 'companion' ? null : claim.personId,
      externalId,
      text,
      at: at.toISOString(),
    })),
  };
}
