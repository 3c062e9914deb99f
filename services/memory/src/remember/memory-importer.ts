import { AppError, type ImportResult, isUnavailable, type MemoryRequest } from '@kith/contracts';
import type { Database } from '@kith/database';
import { MicroBatcher } from '@kith/messaging';
import type { Logger } from 'pino';
import type { IndexWriter } from '../index/index-writer.js';
import { chainStored } from '../facts/chain-facts.js';
import { subjectOf, subjectsForgotten } from '../rows/forgotten-subjects.js';
import { forgottenAmong, wasForgottenSince } from '../rows/late-notes.js';
import { lockPerson } from '../rows/memory-row.js';
import type { Pair } from '../rows/memory-scope.js';
import type { SpeakerNames } from '../rows/speaker-names.js';
import { readImportTwins, writeImport } from './import-rows.js';
import { draftsOf, planImport, type ImportDraft } from './plan-import.js';
import type { ReadingOrders } from './reading-orders.js';

/** Pause before it is read for facts: records often come one by one, and are read together. */
const READ_AFTER_MS = 2_000;
/** Requests of a person that are stored at once. */
const MAX_TOGETHER = 8;
/** Drafts of these, in a second: two of the longest documents. One transaction has ten seconds, and the person's lock. */
const MAX_DRAFTS = 4_000;

type ImportRequest = MemoryRequest<'import'>;
/** Drafts of a request, and the time at which reading its records began, where that took a while. */
interface PreparedImport {
  drafts: ImportDraft[];
  begunAt: string | undefined;
}

/** A stored request, and what is awaited before it is answered, for a while. */
interface StoredImport {
  result: ImportResult;
  indexed: Promise<void>;
}

/** Unanswered requests of one person with one companion. */
interface OpenImports {
  batcher: MicroBatcher<PreparedImport, StoredImport>;
  count: number;
}

/**
 * Stores what was said elsewhere: an export of ours, or another program's log. A person's requests are stored one after
 * the other, and waiting ones together: each would hold a database connection while it waits for the person's lock.
 */
export class MemoryImporter {
  private readonly open = new Map<string, OpenImports>();

  constructor(
    private readonly database: Database,
    private readonly writer: IndexWriter,
    private readonly speakers: SpeakerNames,
    private readonly reading: ReadingOrders,
    private readonly logger: Logger,
  ) {}

  /**
   * Stores rows, each once. Upkeep indexes those that can't be indexed now.
   * @param begunAt when the records began to be read, by the database's clock
   * @throws AppError `conflict` where the person forgot that time since
   */
  async import({ personId, companionId, records }: ImportRequest, begunAt?: string): Promise<ImportResult> {
    const key = `${personId} ${companionId}`;
    const open = this.open.get(key) ?? { batcher: this.batcherOf({ personId, companionId }), count: 0 };
    this.open.set(key, open);
    open.count += 1;
    try {
      const { result, indexed } = await open.batcher.add({ drafts: draftsOf(records), begunAt });
      // Awaited here, so that the next requests are stored meanwhile.
      await indexed;
      return result;
    } finally {
      open.count -= 1;
      if (open.count === 0) this.open.delete(key);
    }
  }

  private batcherOf(whose: Pair): OpenImports['batcher'] {
    return new MicroBatcher(
      (requests) => this.importTogether(whose, requests),
      (error) => !isUnavailable(error),
      { maxItems: MAX_TOGETHER, maxCalls: 1, maxSize: MAX_DRAFTS },
      ({ drafts }) => drafts.length,
    );
  }

  private async importTogether(whose: Pair, requests: PreparedImport[]): Promise<StoredImport[]> {
    const { personId } = whose;
    const drafts = requests.flatMap((request) => request.drafts);
    // Checked with the earliest time of all. If that is refused, each request is tried alone.
    const [begunAt] = requests.flatMap((request) => request.begunAt ?? []).toSorted();
    const results = await this.database.write({ personId }, async (tx) => {
      const sources = drafts.flatMap((draft) => draft.sources);
      const subjects = drafts.filter(({ kind }) => kind === 'reflection').map(subjectIn(whose));
      const [, isTimeForgotten, forgotten, forgottenSubjects, twins] = await Promise.all([
        lockPerson(tx, personId),
        wasForgottenSince(tx, { ...whose, begunAt }),
        forgottenAmong(tx, whose, sources),
        subjectsForgotten(tx, personId, subjects),
        readImportTwins(tx, whose, drafts),
      ]);
      if (isTimeForgotten)
        throw new AppError(
          'conflict',
          'this time was forgotten while it was read, so nothing of it is kept: add it again to keep it',
        );
      const allDrafts = requests.map((request) => request.drafts);
      const isForgotten = (draft: ImportDraft) =>
        draft.sources.some((source) => forgotten.has(source)) ||
        forgottenSubjects.has(subjectIn(whose)(draft));
      const plan = planImport(allDrafts, { isForgotten, twins });
      const attributes = plan.fresh.flatMap(({ fact }) => fact?.attribute ?? []);
      if (attributes.length === 0) await tx.last(() => writeImport(tx, whose, plan));
      else {
        await writeImport(tx, whose, plan);
        await chainStored(tx, whose, attributes);
      }
      return plan.results;
    });
    this.speakers.reload(personId);
    const isAnyNew = results.some(({ kept }) => kept > 0);
    // The records are stored: without the order, upkeep finds the lines that nobody read. Nothing else is read.
    if (isAnyNew && drafts.some(({ kind }) => kind === 'episode'))
      await this.reading.order([whose], READ_AFTER_MS).catch((err: unknown) => {
        this.logger.warn({ err }, 'could not order the reading of an import; upkeep will');
      });
    // Facts that were linked have new sentences: all that is pending is indexed.
    const indexed = isAnyNew ? this.writer.indexPendingLater(personId, 'import') : Promise.resolve();
    return results.map((result) => ({ result, indexed }));
  }
}

function subjectIn({ companionId }: Pair): (draft: ImportDraft) => string {
  return (draft) => subjectOf({ companionId, ...draft });
}
