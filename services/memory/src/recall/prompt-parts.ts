import type { memoryContract, MemoryRequest, ResponseOutput } from '@kith/contracts';
import type { Database } from '@kith/database';
import { chooseWishes } from '../facts/choose-wishes.js';
import { readHistory, readWishRows } from '../facts/fact-records.js';
import { readBeside } from '../rows/found-rows.js';
import type { RecallRow } from '../rows/memory-row.js';
import { readOpenTasks } from '../tasks/task-rows.js';
import { buildPassages } from './build-passages.js';
import { chooseOccurrences, tellTimes } from './choose-occurrences.js';
import { excerpt } from './excerpt.js';
import { findContradictions } from './find-contradictions.js';
import type { RowToRank } from './rank-found.js';
import type { Ranked } from './memory-ranking.js';
import type { Question } from './read-question.js';
import { readPromptCore } from './read-prompt-core.js';

type RankedRows = Record<'chosen' | 'ranked', Ranked<RowToRank>[]>;

type PromptParts = Pick<Recalled, 'passages' | 'core' | 'tasks' | 'wishes' | 'contradictions'>;
type Recalled = ResponseOutput<typeof memoryContract.recall>;

/** Parts of a prompt that do not depend on what is asked: of wishes, those among which the question chooses. */
export interface CoreParts extends Pick<PromptParts, 'core' | 'tasks'> {
  wished: RecallRow[];
}

/** Reads the parts of a prompt that do not depend on the question, where core memory is asked for. */
export async function readCoreParts(
  database: Database,
  request: MemoryRequest<'recall'>,
): Promise<CoreParts> {
  if (!request.withCore) return { core: [], tasks: [], wished: [] };
  const [core, tasks, wished] = await database.read({ personId: request.personId }, (reader) =>
    Promise.all([
      readPromptCore(reader, request),
      readOpenTasks(reader, request),
      readWishRows(reader, request, new Date(request.now)),
    ]),
  );
  return { core, tasks, wished };
}

/**
 * Reads the parts of a prompt: found memories with the lines beside them, or all occurrences along time, within their
 * budget; those that contradict each other; core memory, tasks, and the wishes that apply. Lines of the talk that the
 * prompt has anyway are not repeated, unless all occurrences are asked for.
 */
export async function readPromptParts(
  database: Database,
  request: MemoryRequest<'recall'>,
  question: Question,
  found: RankedRows,
  { core, tasks, wished }: CoreParts,
): Promise<PromptParts> {
  const { personId, passageTokens } = request;
  const all = passageTokens === 0 ? [] : rowsToTell(question, found, passageTokens);
  const { asksAll, asksPast, terms } = question;
  const isTold = isToldIn(request.told);
  const rows = asksAll ? all : all.filter((row) => !isTold(row));
  const attributes = asksPast ? rows.flatMap(({ attribute }) => attribute ?? []) : [];
  const [beside, past] = await database.read({ personId }, (reader) =>
    Promise.all([
      rows.length === 0 || asksAll ? new Map<string, RecallRow[]>() : readBeside(reader, request, rows),
      attributes.length === 0 ? [] : readHistory(reader, request, attributes),
    ]),
  );
  const wishes = chooseWishes(wished, question);
  const excluded = new Set(request.excludeSources);
  const isFree = ({ sources }: RecallRow) => !sources.some((source) => excluded.has(source));
  // A wish needs no second line among the memories.
  const wishIds = new Set(wishes.map(({ id }) => id));
  const linesOf = (some: readonly RecallRow[]) =>
    onceEach([...past.filter(isFree), ...some]).filter(({ id }) => !wishIds.has(id));
  const free = [...beside].map(
    ([id, near]) => [id, near.filter((row) => isFree(row) && !isTold(row))] as const,
  );
  return {
    core,
    tasks,
    wishes,
    passages: buildPassages(linesOf(rows), new Map(free), passageTokens, asksAll ? 1 : undefined),
    contradictions: findContradictions(linesOf(all), terms).map(({ sides }) => ({
      sides: sides.map(({ id, text, saidAt, sources }) => ({
        id,
        sources,
        saidAt: saidAt.toISOString(),
        text: excerpt(text, terms),
      })),
    })),
  };
}

/** Chooses the rows whose lines are shown, the best first. */
function rowsToTell(
  { asksAll, terms }: Question,
  { chosen, ranked }: RankedRows,
  passageTokens: number,
): RecallRow[] {
  if (!asksAll) return chosen.map(({ candidate }) => candidate);
  const tell = (row: RowToRank) => tellTimes(row, excerpt(row.text, terms));
  return chooseOccurrences(ranked, asksAll, passageTokens, tell).map(({ candidate, text }) => ({
    ...candidate,
    text,
  }));
}

function onceEach(rows: readonly RecallRow[]): RecallRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}

/** Makes the test for lines that stand in the talk of a prompt. Facts do not: nobody said them in these words. */
export function isToldIn(told: MemoryRequest<'recall'>['told']): (row: RecallRow) => boolean {
  if (told === undefined) return () => false;
  const since = Date.parse(told.since);
  return ({ kind, conversation, saidAt }) =>
    kind === 'episode' && conversation === told.conversation && saidAt.getTime() >= since;
}
