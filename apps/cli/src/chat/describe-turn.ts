import type { RecalledMemory, TurnView } from '@kith/contracts';
import type { Column } from '../terminal/table.js';
import { plural } from '../terminal/plural.js';

/** What stands under a reply: who answered, how well, and from what. */
export function marksOf(turn: TurnView): string {
  const memories = turn.recalled.length;
  return [
    turn.rehearsal ? 'rehearsal: the offline stand-in, no model answered' : turn.model,
    turn.outcome === 'apologised' ? `no model could answer${turn.reason ? `: ${turn.reason}` : ''}` : null,
    turn.degraded.length > 0 ? `degraded: without ${turn.degraded.join(', ')}` : null,
    turn.mood ? `${turn.mood.strength} ${turn.mood.label}` : null,
    memories > 0 ? `${plural(memories, 'memory', 'memories')} recalled` : null,
    `${(turn.tookMs / 1_000).toFixed(1)} s`,
  ]
    .filter((mark) => mark !== null)
    .join(' · ');
}

/** Columns that say why a memory was recalled: the parts of its score. */
export const WHY_COLUMNS: Column<RecalledMemory>[] = [
  { header: 'score', value: ({ why }) => why.score.toFixed(2), align: 'right' },
  { header: 'dense', value: ({ why }) => rank(why.denseRank), align: 'right' },
  { header: 'cosine', value: ({ why }) => why.similarity?.toFixed(2) ?? '–', align: 'right' },
  { header: 'words', value: ({ why }) => rank(why.lexicalRank), align: 'right' },
  { header: 'fit', value: ({ why }) => `${why.fit < 0 ? '' : '+'}${why.fit.toFixed(2)}`, align: 'right' },
  { header: 'recency', value: ({ why }) => `+${why.recency.toFixed(2)}`, align: 'right' },
  { header: 'weight', value: ({ why }) => `+${why.importance.toFixed(2)}`, align: 'right' },
  { header: 'mood', value: ({ why }) => `+${why.mood.toFixed(2)}`, align: 'right' },
  { header: 'proof', value: ({ why }) => `+${why.proof.toFixed(2)}`, align: 'right' },
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];

function rank(place: number | null): string {
  return place === null ? '–' : `#${place}`;
}
