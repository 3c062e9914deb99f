import { firstOf, type ImportResult, type memoryContract, type RequestOutput } from '@kith/contracts';
import type { Database } from '@kith/database';
import type { IndexWriter } from '../index/index-writer.js';
import { forgottenAmong } from '../rows/late-notes.js';
import { lockPerson } from '../rows/memory-row.js';
import type { SpeakerNames } from '../rows/speaker-names.js';
import { readImportTwins, writeImport } from './import-rows.js';
import { draftsOf, planImport } from './plan-import.js';
import type { ReadingOrders } from './reading-orders.js';

/** Pause before it is read for facts: records often come one by one, and are read together. */
const READ_AFTER_MS = 2_000;

type ImportRequest = RequestOutput<typeof memoryContract.import>;

/** Keeps what was said elsewhere: an export of ours, or another program's log. */
export class ImportService {
  constructor(
    private readonly database: Database,
    private readonly writer: IndexWriter,
    private readonly speakers: SpeakerNames,
    private readonly reading: ReadingOrders,
  ) {}

  /** Stores rows, each once; upkeep indexes those that can't be indexed now. */
  async import(request: ImportRequest): Promise<ImportResult> {
    const { personId, companionId } = request;
    const drafts = draftsOf(request.records);
    const { toIndex, result } = await this.database.write({ personId }, async (tx) => {
      const sources = drafts.flatMap((draft) => draft.sources);
      const [, forgotten, twins] = await Promise.all([
        lockPerson(tx, personId),
        forgottenAmong(tx, request, sources),
        readImportTwins(tx, request, drafts),
      ]);
      const plan = planImport([drafts], { forgotten, twins });
      const toIndex = await tx.last(() => writeImport(tx, request, plan));
      return { toIndex, result: firstOf(plan.results) };
    });
    this.speakers.reload(personId);
    if (result.kept > 0) {
      await this.reading.order([{ personId, companionId }], READ_AFTER_MS);
      await this.writer.indexRowsLater(personId, toIndex, 'import');
    }
    return result;
  }
}
