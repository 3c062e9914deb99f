import { firstOf, type ReadTurn } from '@kith/contracts';
import type { RecentMoods } from '../answer/ask-context.js';
import { transcriptOf, type FinishedTurn } from '../answer/finished-turn.js';
import type { Claim } from '../inbox/claim.js';

/** Time for which a turn is kept: several jobs that follow it ask for it within seconds. */
const KEPT_MS = 15_000;
/** Turns, and moods, in memory: some seconds of a busy suite. */
const MAX_KEPT = 500;

/** Turns that were committed here a moment ago, so that the jobs after them need not read them from Postgres. */
export class RecentTurns implements RecentMoods {
  private readonly turns = new Map<string, { turn: ReadTurn; until: number }>();
  private readonly moods = new Map<string, number>();

  /** Keeps a turn that was committed. */
  add(claim: Claim, turn: FinishedTurn): void {
    const now = performance.now();
    for (const [id, { until }] of this.turns) {
      if (until > now && this.turns.size < MAX_KEPT) break;
      this.turns.delete(id);
    }
    this.turns.set(turn.turnId, { turn: readable(claim, turn), until: now + KEPT_MS });
    if (turn.mood === null) return;
    if (this.moods.size >= MAX_KEPT) this.moods.clear();
    this.moods.set(pairOf(claim), Math.max(-1, Math.min(1, turn.mood.pad.p)));
  }

  moodWith(pair: Pair): number | undefined {
    return this.moods.get(pairOf(pair));
  }

  /** Drops the turns of a person, and how they left the companions' moods. */
  forget(personId: string): void {
    for (const pair of this.moods.keys()) if (pair.endsWith(personId)) this.moods.delete(pair);
    for (const [id, { turn }] of this.turns) if (turn.personId === personId) this.turns.delete(id);
  }

  /** Returns a turn while it is kept. */
  get(turnId: string): ReadTurn | undefined {
    const kept = this.turns.get(turnId);
    return kept && kept.until > performance.now() ? kept.turn : undefined;
  }
}

type Pair = Pick<Claim, 'companionId' | 'personId'>;

function pairOf({ companionId, personId }: Pair): string {
  return `${companionId} ${personId}`;
}

function readable(claim: Claim, turn: FinishedTurn): ReadTurn {
  const first = firstOf(claim.burst);
  const { conversationId, companionId, personId, audience } = claim;
  const { turnId, personName: displayName, outcome, reason } = turn;
  return {
    ...{ turnId, conversationId, companionId, personId, displayName, audience, outcome, reason },
    ...{ door: first.door, origin: first.origin },
    ...(first.origin === 'outreach' && { attemptId: first.externalId }),
    startedAt: turn.startedAt.toISOString(),
    endedAt: turn.endedAt.toISOString(),
    messages: transcriptOf(claim, turn).map(({ role, external_id: externalId, text, at }) => ({
      role,
      personId: role === 'companion' ? null : personId,
      externalId,
      text,
      at: at.toISOString(),
    })),
  };
}
