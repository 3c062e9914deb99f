import { PersonRows, type Database } from '@kith/database';
import type { MemoryRequest, MemoryAnswer } from '@kith/contracts';
import type { Embeddings } from '../index/embeddings.js';
import type { VectorIndex } from '../index/vector-index.js';

/** Tables with rows of people. Documents are among the memories, and a person's page is computed from them. */
const TABLES = [
  ...['memories', 'core_blocks', 'private_times', 'forget_records', 'memory_handled_turns'],
  'memory_effects',
  'tasks',
  ...['memory_vectors', 'memory_vector_versions', 'memory_sealed_rows'],
];

/** Erases a person: first the rows, which are the source of truth, then the points in the index. */
export class Eraser {
  private readonly rows: PersonRows;

  constructor(
    database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Pick<Embeddings, 'knownSpace'>,
  ) {
    this.rows = new PersonRows(database, TABLES);
  }

  /**
   * Erases a person and counts what is left, or, as a preview, counts what there is. @throws AppError `unavailable`
   * without the index
   */
  async erase({ personId, preview }: MemoryRequest<'erase'>): Promise<MemoryAnswer<'erase'>> {
    if (!preview) {
      await this.rows.erase(personId);
      await this.index.delete(personId, { companionId: null });
    }
    const space = this.embeddings.knownSpace?.id;
    // The exact index stores its points as rows, which are counted already.
    const isElsewhere = this.index.kind === 'qdrant' && space !== undefined;
    return {
      holdings: {
        ...(await this.rows.count(personId)),
        ...(isElsewhere && { points: await this.index.count(space, personId) }),
      },
    };
  }
}
