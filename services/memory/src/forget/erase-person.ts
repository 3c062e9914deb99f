import { PersonRows, type Database } from '@kith/database';
import type { MemoryRequest, MemoryAnswer } from '@kith/contracts';
import type { Embeddings } from '../index/embeddings.js';
import type { VectorIndex } from '../index/vector-index.js';

/** Tables with rows of people. Documents are among the memories, and a person's page is computed from them. */
const TABLES = [
  'memories',
  'core_blocks',
  'private_times',
  'forget_records',
  'memory_handled_turns',
  'memory_effects',
  'tasks',
  'memory_vectors',
  'memory_vector_versions',
  'memory_sealed_rows',
];

/**
 * Erases a person, first the rows, which are the source of truth, then the points in the index, and counts what is left;
 * as a preview, counts what there is.
 * @throws AppError `unavailable` without the index
 */
export async function erasePerson(
  { database, index, embeddings }: { database: Database; index: VectorIndex; embeddings: Embeddings },
  { personId, preview }: MemoryRequest<'erase'>,
): Promise<MemoryAnswer<'erase'>> {
  const rows = new PersonRows(database, TABLES);
  if (!preview) {
    await rows.erase(personId);
    await index.delete(personId, { companionId: null });
  }
  const space = embeddings.knownSpace?.id;
  // The exact index stores its points as rows, which are counted already.
  const isElsewhere = index.kind === 'qdrant' && space !== undefined;
  return {
    holdings: {
      ...(await rows.count(personId)),
      ...(isElsewhere && { points: await index.count(space, personId) }),
    },
  };
}
