import type { ReadTurn } from '@kith/contracts';
import type { Claim } from './claim-conversation.js';
import { transcriptOf, type FinishedTurn } from './commit-turn.js';

/** The jobs that follow a turn come within seconds, several of them, and each asks for it. */
const KEPT_MS = 15_000;
const MOST_KEPT = 500;

/** Turns that were committed here a moment ago, so that those that follow need not read them: one look tells whether a line was withheld since. */
export class RecentTurns {
  readonly #turns = new Map<string, { turn: ReadTurn; until: number }>();
  readonly #moods = new Map<string, number>();

  add(claim: Claim, turn: FinishedTurn): void {
    const now = performance.now();
    for (const [id, { until }] of this.#turns) {
      if (until > now && this.#turns.size < MOST_KEPT) break;
      this.#turns.delete(id);
    }
    this.#turns.set(turn.turnId, { turn: readable(claim, turn), until: now + KEPT_MS });
    if (turn.mood === null) return;
    if (this.#moods.size >= MOST_KEPT) this.#moods.clear();
    this.#moods.set(pairOf(claim), Math.max(-1, Math.min(1, turn.mood.pad.p)));
  }

  /** How pleasant the companion's mood was at its last turn with this person here, from -1 to 1. */
  moodWith(pair: Pair): number | undefined {
    return this.#moods.get(pairOf(pair));
  }

  forget(personId: string): void {
    for (const [id, { turn }] of this.#turns) if (turn.personId === personId) this.#turns.delete(id);
  }

  get(turnId: string): ReadTurn | undefined {
    const kept = this.#turns.get(turnId);
    return kept && kept.until > performance.now() ? kept.turn : undefined;
  }
}

type Pair = Pick<Claim, 'companionId' | 'personId'>;

function pairOf({ companionId, personId }: Pair): string {
  return `${companionId} ${personId}`;
}

function readable(claim: Claim, turn: FinishedTurn): ReadTurn {
  const first = claim.burst[0]!;
  return {
    turnId: turn.turnId,
    conversationId: claim.conversationId,
    companionId: claim.companionId,
    personId: claim.personId,
    displayName: turn.personName,
    door: first.door,
    audience: claim.audience,
    outcome: turn.outcome,
    reason: turn.reason,
    origin: first.origin,
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
