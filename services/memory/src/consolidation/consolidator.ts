import { AppError, lastOf, present, memoryContract, type PayloadOutput } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import type { Forgetter } from '../forget/forgetter.js';
import type { IndexWriter } from '../index/index-writer.js';
import type { Recaller } from '../recall/recaller.js';
import { chooseAsked, type Merge } from './group-same.js';
import { keepWritten, removeRows } from './keep-written.js';
import { planConsolidation, type ConsolidationPlan } from './plan-consolidation.js';
import type { ReflectionPlan } from './plan-reflection.js';
import { updateTopics } from './update-topics.js';
import { isStillAnswered } from './is-still-answered.js';
import { writeReflection, type Summarise, type SummariseTopic } from './write-summary.js';
import { OWN_WORDS } from '../rows/own-words.js';
import { noteSummariesWritten, readLostSummaries } from '../rows/lost-summaries.js';
import { lockPerson, type MemoryRow } from '../rows/memory-row.js';

/** A companion's day with somebody: what was said or stored on it. */
type DayWithCompanion = PayloadOutput<typeof memoryContract.consolidate>;
type MergedMemory = Pick<MemoryRow, 'id' | 'text' | 'audience'>;

/** Plan of a day, with the lines that it is of, and the changes with which its summaries went before. */
interface DayPlan extends ConsolidationPlan {
  read: ReadonlyMap<string, MergedMemory>;
  lost: string[];
}

/** Episodes of a day that are read, the latest: more than anybody says, though an import may have them. */
const MAX_READ = 5_000;
/** Lines that may be merged into others in one run: each is asked about by up to eight recalls. */
const MAX_ASKED_ABOUT = 300;

/** Consolidates a person's day: merges repetitions and writes reflections. */
export class Consolidator {
  constructor(
    private readonly parts: {
      database: Database;
      writer: IndexWriter;
      forgetting: Forgetter;
      recall: Recaller;
      summarise: Summarise | null;
      summariseTopic: SummariseTopic | null;
    },
  ) {}

  /**
   * Merges the person's own episodes that say the same, as long as recall still answers the questions of each. The
   * run that checks the last of them also writes each audience's reflection, and summaries of what the person comes
   * back to over months. Repeating all of it changes nothing.
   * @param most number of memories that the run may ask about
   * @returns the memory after which the next run continues; null where nothing is left
   * @throws AppError `unavailable` where lines were changed whenever their summaries were written: nobody else orders these
   */
  async consolidate(which: DayWithCompanion, most = MAX_ASKED_ABOUT): Promise<string | null> {
    const { forgetting, writer } = this.parts;
    const { personId, after } = which;
    const day = await this.plan(which);
    const { merges, last } = chooseAsked(day.merges, after, most);
    await this.merge(which, merges, day.read);
    const areWritten =
      last !== null ||
      (await this.writeSummaries(which, day)) ||
      (await this.writeSummaries(which, await this.plan(which)));
    await forgetting.deletePendingPoints(personId);
    await writer.indexPending(personId);
    if (!areWritten)
      throw new AppError('unavailable', 'lines were changed while their summaries were written');
    return last;
  }

  private async plan(which: DayWithCompanion): Promise<DayPlan> {
    const { database } = this.parts;
    const { personId, companionId } = which;
    const lost = await readLostSummaries(database.reader({ personId }), which);
    const day = { from: new Date(which.from), to: new Date(which.to) };
    const within = { gte: day.from, lt: day.to };
    const episodes = await database.asPerson(personId, (tx) =>
      tx.memory.findMany({
        where: {
          personId,
          companionId,
          kind: 'episode',
          shelf: 'open',
          AND: [OWN_WORDS, { OR: [{ createdAt: within }, { saidAt: within }] }],
        },
        select: { id: true, text: true, audience: true, importance: true, saidAt: true, sources: true },
        orderBy: [{ saidAt: 'desc' }, { id: 'desc' }],
        take: MAX_READ,
      }),
    );
    const read = new Map(episodes.map((episode) => [episode.id, episode]));
    return { ...(await planConsolidation(episodes, day)), read, lost };
  }

  /** Writes the summaries of a day, and of the topics. False where one of them was lost (`keepWritten`). */
  private async writeSummaries(which: DayWithCompanion, { reflections, lost }: DayPlan): Promise<boolean> {
    const { database, summariseTopic } = this.parts;
    const { personId, companionId } = which;
    const written: boolean[] = [];
    for (const reflection of reflections) written.push(await this.reflect(which, reflection));
    written.push(await updateTopics(database, summariseTopic, { personId, companionId }));
    const areWritten = written.every(Boolean);
    if (areWritten) await noteSummariesWritten(database.writer({ personId }), lost, which);
    return areWritten;
  }

  private async merge(
    which: DayWithCompanion,
    merges: readonly Merge[],
    read: ReadonlyMap<string, MergedMemory>,
  ): Promise<void> {
    for (const merge of merges) {
      const merged = merge.removeIds.map((id) => present(read.get(id)));
      const removeIds = await this.answeredWithout(which, merged, present(read.get(merge.keepId)).text);
      if (removeIds.length === 0) continue;
      await this.parts.database.asPerson(which.personId, async (tx) => {
        await lockPerson(tx, which.personId);
        await applyMerge(tx, which, { ...merge, removeIds }, read);
      });
    }
  }

  /** Selects the memories that may go for another: recall answers their questions without them. */
  private async answeredWithout(
    { personId, companionId }: DayWithCompanion,
    merged: MergedMemory[],
    kept: string,
  ): Promise<string[]> {
    const without = new Set(merged.map(({ id }) => id));
    const answered: string[] = [];
    for (const { id, text, audience } of merged) {
      const ask = async (query: string) => {
        const asked = memoryContract.recall.request.parse({
          personId,
          companionId,
          audience,
          query,
          maxTokens: 10_000,
          countAsUse: false,
          now: new Date().toISOString(),
        });
        // A group may have more lines than a request may ask for.
        const { memories } = await this.parts.recall.recall({ ...asked, limit: asked.limit + without.size });
        return memories.filter((memory) => !without.has(memory.id));
      };
      if (await isStillAnswered(text, kept, ask)) answered.push(id);
    }
    return answered;
  }

  private reflect({ personId, companionId, day }: DayWithCompanion, plan: ReflectionPlan): Promise<boolean> {
    const { database, summarise } = this.parts;
    const saidAt = lastOf(plan.statements).saidAt;
    const of = { ...plan, personId, companionId, saidAt, subject: `reflection ${day}` };
    return keepWritten(database, of, async () => ({
      text: await writeReflection(day, plan, summarise, { personId, companionId }),
    }));
  }
}

/** Merges rows, unless one of them was forgotten, taken back or put right since it was read. */
async function applyMerge(
  tx: Tx,
  which: DayWithCompanion,
  merge: Merge,
  read: ReadonlyMap<string, MergedMemory>,
): Promise<void> {
  const { keepId, removeIds, saidAt, importance } = merge;
  const open = await tx.memory.findMany({ where: { id: { in: [keepId, ...removeIds] }, shelf: 'open' } });
  const rows = open.filter(({ id, text }) => text === read.get(id)?.text);
  if (rows.length !== removeIds.length + 1) return;
  const removed = rows.filter(({ id }) => id !== keepId);
  const recalled = removed.reduce((sum, { timesRecalled }) => sum + timesRecalled, 0);
  const sources = { set: [...new Set(rows.flatMap((row) => row.sources))] };
  const pinned = rows.some((row) => row.pinned);
  await removeRows(tx, which, removeIds);
  await tx.memory.update({
    where: { id: keepId },
    data: { sources, saidAt, importance, pinned, timesRecalled: { increment: recalled } },
  });
}
