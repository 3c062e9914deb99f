import type {
  Contradiction,
  CoreBlock,
  memoryContract,
  Passage,
  RequestOutput,
  TaskView,
  Wish,
} from '@kith/contracts';
import type { Database } from '@kith/database';
import { readCoreForPrompt } from '../core/core-rows.js';
import { chooseWishes } from '../facts/choose-wishes.js';
import { readHistory } from '../facts/fact-records.js';
import { readWishRows } from '../facts/wish-rows.js';
import { readBeside } from '../rows/find-rows.js';
import type { MemoryRow } from '../rows/memory-row.js';
import { readOpenTasks } from '../tasks/task-rows.js';
import { buildPassages } from './build-passages.js';
import { chooseOccurrences, tellTimes } from './choose-occurrences.js';
import { excerpt } from './excerpt.js';
import { findContradictions } from './find-contradictions.js';
import type { RowToRank } from './rank-found.js';
import type { Ranked } from './rank-memories.js';
import type { Question } from './read-question.js';

type RankedRows = Record<'chosen' | 'ranked', Ranked<RowToRank>[]>;

/** Parts of a prompt that memory tells. */
export interface PromptParts {
  passages: Passage[];
  core: CoreBlock[];
  tasks: TaskView[];
  wishes: Wish[];
  contradictions: Contradiction[];
}

/**
 * Reads what a prompt is told: found memories with the lines beside them, or all occurrences along time, within their
 * budget; those that contradict each other; core memory, tasks, and the wishes that apply.
 */
export async function readPromptParts(
  database: Database,
  request: RequestOutput<typeof memoryContract.recall>,
  question: Question,
  found: RankedRows,
): Promise<PromptParts> {
  const { personId, passageTokens, withCore } = request;
  const rows = passageTokens === 0 ? [] : rowsToTell(question, found, passageTokens);
  if (rows.length === 0 && !withCore)
    return { passages: [], core: [], tasks: [], wishes: [], contradictions: [] };
  const { asksAll, asksPast, terms } = question;
  const attributes = asksPast ? rows.flatMap(({ attribute }) => attribute ?? []) : [];
  const [beside, past, core, tasks, wished] = await database.read({ personId }, (reader) =>
    Promise.all([
      rows.length === 0 || asksAll ? new Map<string, MemoryRow[]>() : readBeside(reader, request, rows),
      attributes.length === 0 ? [] : readHistory(reader, request, attributes),
      withCore ? readCoreForPrompt(reader, request) : [],
      withCore ? readOpenTasks(reader, request) : [],
      withCore ? readWishRows(reader, request, new Date(request.now)) : [],
    ]),
  );
  const wishes = chooseWishes(wished, question);
  const excluded = new Set(request.excludeSources);
  const isFree = ({ sources }: MemoryRow) => !sources.some((source) => excluded.has(source));
  // What is told as a wish needs no second line.
  const told = new Set(wishes.map(({ id }) => id));
  const lines = onceEach([...past.filter(isFree), ...rows]).filter(({ id }) => !told.has(id));
  const free = [...beside].map(([id, near]) => [id, near.filter(isFree)] as const);
  return {
    ...{ core, tasks, wishes },
    passages: buildPassages(lines, new Map(free), passageTokens, asksAll ? 1 : undefined),
    contradictions: findContradictions(lines, terms).map(({ sides }) => ({
      sides: sides.map(({ id, text, saidAt, sources }) => ({
        ...{ id, sources, saidAt: saidAt.toISOString() },
        text: excerpt(text, terms),
      })),
    })),
  };
}

/** Chooses the rows whose lines are told, the best first. */
function rowsToTell(
  { asksAll, terms }: Question,
  { chosen, ranked }: RankedRows,
  passageTokens: number,
): MemoryRow[] {
  if (!asksAll) return chosen.map(({ candidate }) => candidate);
  const tell = (row: RowToRank) => tellTimes(row, excerpt(row.text, terms));
  return chooseOccurrences(ranked, asksAll, passageTokens, tell).map(({ candidate, text }) => ({
    ...candidate,
    text,
  }));
}

function onceEach(rows: readonly MemoryRow[]): MemoryRow[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
