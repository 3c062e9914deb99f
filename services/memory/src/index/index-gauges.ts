import type { ReindexProgress } from '@kith/contracts';
import { Gauge, type Registry } from 'prom-client';

/** Gauges of the index and of reindexing. */
export type IndexGauges = ReturnType<typeof indexGauges>;

/** Registers gauges that show how far the index is behind the rows, and how far a reindex is. */
export function indexGauges(metrics: Registry) {
  const gauge = (name: string, help: string) => new Gauge({ name, help, registers: [metrics] });
  const memories = gauge('kith_memories', 'Memories in Postgres');
  const pending = gauge('kith_memories_pending', 'Memories that are not in the index, and should be by now');
  const points = gauge('kith_memory_points', 'Points that the vector index holds in the space in use');
  const left = gauge('kith_reindex_left', 'Memories that a reindex under way has still to write');
  return {
    counted: (counts: { memories: number; pending: number; points: number }) => {
      memories.set(counts.memories);
      pending.set(counts.pending);
      points.set(counts.points);
    },
    progressed: (progress: ReindexProgress | null) => left.set(progress ? progress.total - progress.done : 0),
  };
}
