import { counted, type TurnView } from '@kith/contracts';

/** Marks below a reply: who answered, how well, and from what. */
export function replyMarks(turn: TurnView): string {
  const memories = turn.recalled.length;
  return [
    turn.rehearsal ? 'rehearsal: the offline stand-in, no model answered' : turn.model,
    turn.degraded.length > 0 ? `degraded: without ${turn.degraded.join(', ')}` : null,
    turn.mood ? `${turn.mood.strength} ${turn.mood.label}` : null,
    memories > 0 ? `${counted(memories, 'memory', 'memories')} recalled` : null,
    `${(turn.tookMs / 1_000).toFixed(1)} s`,
  ]
    .filter((mark) => mark !== null)
    .join(' · ');
}
