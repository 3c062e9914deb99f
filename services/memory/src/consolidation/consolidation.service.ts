import { lastOf, present, type CompanionDay } from '@kith/contracts';
import type { Database, Tx } from '@kith/database';
import type { ForgetService } from '../forget/forget.service.js';
import type { IndexWriter } from '../index/index-writer.js';
import type { RecallService } from '../recall/recall.service.js';
import type { Merge } from './group-same.js';
import { keepWritten } from './keep-written.js';
import { planConsolidation, type ReflectionPlan } from './plan-consolidation.js';
import { removeRows } from './remove-rows.js';
import type { TopicSummaries } from './topic-summaries.js';
import { isStillAnswered } from './verify-merge.js';
import { writeReflection, type Summarise } from './write-reflection.js';
import { OWN_WORDS } from '../rows/own-words.js';
import { lockPerson, type MemoryRow } from '../rows/memory-row.js';

/** A companion's day with somebody: what was stored on it. */
type DayWithCompanion = CompanionDay & { personId: string };
type Merged = Pick<MemoryRow, 'id' | 'text' | 'audience'>;

/** Options of a recall like the one for a prompt, which does not count as use. */
const ASKED = {
  limit: 8,
  maxTokens: 10_000,
  excludeSources: [],
  countAsUse: false,
  fromArchive: false,
  withCore: false,
  explain: 0,
  passageTokens: 0,
};

/** Episodes of a day that are read, the latest: more than anybody says, though an import may have them. */
const MAX_READ = 5_000;
/** Lines that may be merged into others in one run: each is asked about by up to eight recalls. */
const MAX_ASKED_ABOUT = 300;

/** Consolidates a person's day: merges repetitions and writes reflections. */
export class ConsolidationService {
  constructor(
    private readonly database: Database,
    private readonly writer: IndexWriter,
    private readonly forgetting: ForgetService,
    private readonly recall: RecallService,
    private readonly summarise: Summarise | null,
    private readonly topics: TopicSummaries,
  ) {}

  /**
   * Merges episodes of the person's own that say the same, as long as recall still answers what each could be asked.
   * Writes each audience's reflection, and summaries of what the person comes back to over months. A second run changes
   * nothing, unless there was more to merge than one run may: what was kept in the first is asked about anew, before the rest.
   */
  async consolidate(which: DayWithCompanion): Promise<void> {
    const { personId, companionId, from, to } = which;
    const createdAt = { gte: new Date(from), lt: new Date(to) };
    const episodes = await this.database.asPerson(personId, (tx) =>
      tx.memory.findMany({
        where: { personId, companionId, kind: 'episode', shelf: 'open', createdAt, ...OWN_WORDS },
        select: { id: true, text: true, audience: true, importance: true, saidAt: true, sources: true },
        orderBy: [{ saidAt: 'desc' }, { id: 'desc' }],
        take: MAX_READ,
      }),
    );
    const { merges, reflections } = await planConsolidation(episodes);
    const byId = new Map(episodes.map((episode) => [episode.id, episode]));
    let left = MAX_ASKED_ABOUT;
    for (const merge of merges) {
      if (left <= 0) break;
      const merged = merge.removeIds.slice(0, left).map((id) => present(byId.get(id)));
      left -= merged.length;
      const removeIds = await this.answeredWithout(which, merged);
      if (removeIds.length > 0) {
        await this.database.asPerson(personId, async (tx) => {
          await lockPerson(tx, personId);
          await applyMerge(tx, which, { ...merge, removeIds }, byId);
        });
      }
    }
    for (const plan of reflections) await this.reflect(which, plan);
    await this.topics.update({ personId, companionId });
    await this.forgetting.deletePendingPoints(personId);
    await this.writer.indexPending(personId);
  }

  /** Selects the memories that may go: recall answers their questions without them. */
  private async answeredWithout(
    { personId, companionId }: DayWithCompanion,
    merged: Merged[],
  ): Promise<string[]> {
    const without = new Set(merged.map(({ id }) => id));
    const answered: string[] = [];
    for (const { id, text, audience } of merged) {
      const ask = async (query: string) => {
        const { memories } = await this.recall.recall({
          ...{ personId, companionId, audience, query },
          ...ASKED,
          limit: ASKED.limit + without.size,
          now: new Date().toISOString(),
        });
        return memories.filter((memory) => !without.has(memory.id));
      };
      if (await isStillAnswered(text, ask)) answered.push(id);
    }
    return answered;
  }

  private reflect({ personId, companionId, day }: DayWithCompanion, plan: ReflectionPlan): Promise<void> {
    const saidAt = lastOf(plan.statements).saidAt;
    const of = { ...plan, personId, companionId, saidAt, subject: `reflection ${day}` };
    return keepWritten(this.database, of, async () => ({
      text: await writeReflection(day, plan, this.summarise),
    }));
  }
}

/** Merges rows, unless one of them was forgotten, taken back or put right since it was read. */
async function applyMerge(
  tx: Tx,
  which: DayWithCompanion,
  merge: Merge,
  read: ReadonlyMap<string, Merged>,
): Promise<void> {
  const { keepId, removeIds, saidAt, importance } = merge;
  const open = await tx.memory.findMany({ where: { id: { in: [keepId, ...removeIds] }, shelf: 'open' } });
  const rows = open.filter(({ id, text }) => text === read.get(id)?.text);
  if (rows.length !== removeIds.length + 1) return;
  const removed = rows.filter(({ id }) => id !== keepId);
  const recalled = removed.reduce((sum, { timesRecalled }) => sum + timesRecalled, 0);
  const sources = [...new Set(rows.flatMap((row) => row.sources))];
  const pinned = rows.some((row) => row.pinned);
  await removeRows(tx, which, removeIds);
  await tx.memory.update({
    where: { id: keepId },
    data: { sources, saidAt, importance, pinned, timesRecalled: { increment: recalled } },
  });
}
