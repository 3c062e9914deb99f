import { PersonRows, type Database } from '@kith/database';
import type { memoryContract, RequestOutput, ResponseInput } from '@kith/contracts';
import type { Embeddings } from '../index/embeddings.js';
import type { VectorIndex } from '../index/vector-index.js';

/** Tables with rows of people; documents are among the memories, and a person's page is made of them. */
const TABLES = [
  ...['memories', 'core_blocks', 'private_times', 'forget_records', 'memory_handled_turns'],
  'memory_effects',
  'tasks',
  ...['memory_vectors', 'memory_vector_versions', 'memory_sealed_rows'],
];

/** Erases a person: first the rows, which are the truth, then the points that are derived from them. */
export class Eraser {
  private readonly rows: PersonRows;

  constructor(
    database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Pick<Embeddings, 'knownSpace'>,
  ) {
    this.rows = new PersonRows(database, TABLES);
  }

  /** Counts what there is, or, unless it is a preview, erases it and counts what is left. @throws AppError `unavailable` without the index */
  async erase({
    personId,
    preview,
  }: RequestOutput<typeof memoryContract.erase>): Promise<ResponseInput<typeof memoryContract.erase>> {
    if (!preview) {
      await this.rows.erase(personId);
      await this.index.delete(personId, { companionId: null });
    }
    const space = this.embeddings.knownSpace?.id;
    // The exact index's points are rows, which are counted already.
    const isElsewhere = this.index.kind === 'qdrant' && space !== undefined;
    return {
      holdings: {
        ...(await this.rows.count(personId)),
        ...(isElsewhere && { points: await this.index.count(space, personId) }),
      },
    };
  }
}
