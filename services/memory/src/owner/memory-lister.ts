import {
  type EmbeddingSpace,
  memoryContract,
  readTimeCursor,
  writeTimeCursor,
  type MemoryRequest,
  type MemoryAnswer,
} from '@kith/contracts';
import { columnOf, pageOf, type Database } from '@kith/database';
import type { Messenger } from '@kith/messaging';
import type { Embeddings } from '../index/embeddings.js';
import type { ReindexMonitor } from '../index/reindex-monitor.js';
import { readTallies } from '../rows/memory-tallies.js';
import type { VectorIndex } from '../index/vector-index.js';
import { rowsForAudience } from '../facts/fact-records.js';
import { readAudienceCondition } from '../rows/audience-conditions.js';
import { viewOf } from '../rows/memory-row.js';

/** Name of the space before embedding was ever reached. */
const UNKNOWN = 'unknown';

/** Open memories, and how many of them are in the index. */
interface Counts {
  memories: number;
  indexed: number;
}

/** Shows what is kept, without searching it. */
export class MemoryLister {
  constructor(
    private readonly database: Database,
    private readonly index: VectorIndex,
    private readonly embeddings: Embeddings,
    private readonly reindexing: ReindexMonitor,
    private readonly messenger: Messenger,
  ) {}

  /**
   * Lists a page of a person's memories, newest first. Those of an export come by their ids, which stay: one that is
   * said again between two pages has another time, and would be on neither.
   * @throws AppError `invalid_request` for a cursor that is not ours
   */
  async list(request: MemoryRequest<'list'>): Promise<MemoryAnswer<'list'>> {
    const { personId, companionId, limit } = request;
    const after = request.cursor === undefined ? null : readTimeCursor(request.cursor);
    const rest = after && {
      OR: request.asKept
        ? [{ id: { gt: after.id } }]
        : [{ saidAt: { lt: after.at } }, { saidAt: after.at, id: { lt: after.id } }],
    };
    return this.database.asPerson(personId, async (tx) => {
      const where = {
        personId,
        ...(companionId !== undefined && { companionId }),
        ...(await readAudienceCondition(tx, request.audience)),
        ...(request.kind !== undefined && { kind: request.kind }),
        ...(request.shelf !== undefined && { shelf: request.shelf }),
      };
      const rows = await tx.memory.findMany({
        where: { ...where, ...rest },
        orderBy: request.asKept ? { id: 'asc' } : [{ saidAt: 'desc' }, { id: 'desc' }],
        take: limit + 1,
      });
      const { page, nextCursor } = pageOf(rows, limit, ({ saidAt, id }) =>
        writeTimeCursor({ at: saidAt, id }),
      );
      const shown = request.asKept ? page : await rowsForAudience(tx, request, page);
      return {
        memories: shown.map((row) => ({
          ...viewOf(row),
          companionId: row.companionId,
          ...(request.asKept && row.formerHashes.length > 0 && { formerHashes: row.formerHashes }),
          ...(request.asKept && row.kind === 'reflection' && { subjectHash: row.contentHash }),
        })),
        nextCursor,
        total: await tx.memory.count({ where }),
      };
    });
  }

  /** Lists people with episodes that were stored in a time, or said in it and stored later, for consolidation. */
  async active({ companionId, from, to }: MemoryRequest<'active'>): Promise<MemoryAnswer<'active'>> {
    const [since, until] = [new Date(from), new Date(to)];
    // Each person once, by Postgres: Prisma would load a row for each episode.
    const personIds = await columnOf(this.database.reader('system'))`
      SELECT DISTINCT person_id::text FROM memories
      WHERE companion_id = ${companionId} AND kind = 'episode' AND created_at >= ${since}
        AND (created_at < ${until} OR said_at >= ${since} AND said_at < ${until})`;
    return { personIds };
  }

  /** Compares the counts of the index and of everybody's rows. */
  async indexState(): Promise<MemoryAnswer<'index'>> {
    const { memories, indexed, space, index, reindexing } = await this.stats({});
    const { waiting = 0, delayed = 0, active = 0 } = await this.messenger.jobs.counts(memoryContract.reindex);
    const points = space === UNKNOWN ? null : await this.index.count(space).catch(() => null);
    const running = waiting + delayed + active > 0;
    const fill = this.embeddings.nextSpace;
    const next = fill && { space: fill.id, points: await this.index.count(fill.id).catch(() => 0) };
    return { index, space, memories, indexed, points, next, running, progress: running ? reindexing : null };
  }

  /** Makes the index ready for the space in use. @throws AppError `unavailable` without embedding or the index */
  async init(): Promise<MemoryAnswer<'index'>> {
    await this.index.ensureSpace(await this.embeddings.currentSpace());
    return this.indexState();
  }

  async stats({ personId }: MemoryRequest<'stats'>): Promise<MemoryAnswer<'stats'>> {
    const known = this.embeddings.knownSpace ?? (await this.embeddings.currentSpace().catch(() => null));
    return {
      ...(await (personId === undefined ? this.countAll(known) : this.countOf(personId, known))),
      space: known?.id ?? UNKNOWN,
      index: this.index.kind,
      reindexing: this.reindexing.progress,
    };
  }

  private async countAll(known: EmbeddingSpace | null): Promise<Counts> {
    const tallies = await this.database.read('system', readTallies);
    return { memories: tallies.open, indexed: known ? tallies.indexedIn(known.id) : 0 };
  }

  private countOf(personId: string, known: EmbeddingSpace | null): Promise<Counts> {
    return this.database.asPerson(personId, async (tx) => {
      const where = { shelf: 'open', personId };
      return {
        memories: await tx.memory.count({ where }),
        indexed: known ? await tx.memory.count({ where: { ...where, indexedIn: known.id } }) : 0,
      };
    });
  }
}
