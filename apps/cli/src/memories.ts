import { createInterface } from 'node:readline/promises';
import { ForgetResult, MemoryList, MemorySearchResult, type MemoryView } from '@kith/contracts';
import { WHY_COLUMNS } from './chat/describe-turn.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import type { Column } from './terminal/table.js';

const PAGE = 200;
/** The end of an id is random, its beginning a time that neighbours share. */
const SHORT_ID = 8;
const FULL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const LIST_COLUMNS: Column<MemoryView>[] = [
  { header: 'id', value: ({ id }) => id.slice(-SHORT_ID) },
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'heard', value: ({ audience }) => (audience === 'direct' ? 'alone' : 'channel') },
  { header: 'weight', value: ({ importance }) => importance.toFixed(0), align: 'right' },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];

export interface MemoryOptions {
  companion?: string;
  limit: number;
  json?: boolean;
}

/** Prints the newest memories. */
export async function listMemories({ api, terminal }: CommandContext, options: MemoryOptions): Promise<void> {
  const memories: MemoryView[] = [];
  let total: number;
  let cursor: string | undefined;
  do {
    const limit = Math.min(PAGE, options.limit - memories.length);
    const page = await api.get('/v1/memories', MemoryList, { limit, cursor, companion: options.companion });
    memories.push(...page.memories);
    total = page.total;
    cursor = page.nextCursor ?? undefined;
  } while (cursor && memories.length < options.limit);
  if (options.json) return terminal.json({ memories, total });
  if (memories.length === 0) return terminal.note('there are no memories yet');
  terminal.table(memories, LIST_COLUMNS);
  terminal.note(`${memories.length} of ${total}; forget one with kith memories forget ID`);
}

/** Prints what recall finds for a query, with the parts of each score. */
export async function searchMemories(
  { api, terminal }: CommandContext,
  query: string,
  options: MemoryOptions,
): Promise<void> {
  const found = await api.get('/v1/memories/search', MemorySearchResult, {
    q: query,
    limit: options.limit,
    companion: options.companion,
  });
  if (options.json) return terminal.json(found);
  if (found.degraded.length > 0) terminal.note(`searched without ${found.degraded.join(', ')}`);
  if (found.memories.length === 0) return terminal.note('nothing comes to mind');
  terminal.table(found.memories, [LIST_COLUMNS[0]!, ...WHY_COLUMNS]);
}

/** Removes memories by their ids, or by the short ones the list shows. */
export async function forgetMemories(
  context: CommandContext,
  given: readonly string[],
  asJson: boolean,
): Promise<void> {
  const ids = await fullIds(context, given);
  const result = await context.api.send('POST', '/v1/memories/forget', { ids }, ForgetResult);
  report(context, result.rows, asJson);
  if (result.rows < ids.length) context.terminal.note(`${ids.length - result.rows} were not there`);
}

/** Removes every memory, after asking. @throws CliError when nobody is there to ask and `yes` is not given */
export async function clearMemories(
  context: CommandContext,
  options: { companion?: string; yes?: boolean; json?: boolean },
): Promise<void> {
  if (!options.yes && !(await confirmClear(context, options.companion))) {
    return context.terminal.note('nothing was forgotten');
  }
  const { companion } = options;
  const result = await context.api.send(
    'POST',
    '/v1/memories/forget',
    { all: true, ...(companion ? { companion } : {}) },
    ForgetResult,
  );
  report(context, result.rows, options.json ?? false);
}

function report({ terminal }: CommandContext, count: number, asJson: boolean): void {
  if (asJson) terminal.json({ forgotten: count });
  else terminal.line(`forgot ${count} ${count === 1 ? 'memory' : 'memories'}`);
}

async function confirmClear({ terminal }: CommandContext, companion: string | undefined): Promise<boolean> {
  if (!terminal.isInteractive) {
    throw new CliError('clear asks before it forgets everything: say --yes where nobody can answer', 2);
  }
  const prompt = createInterface({ input: terminal.input, output: terminal.output });
  try {
    const whose = companion ? `everything ${companion} remembers of you` : 'everything remembered of you';
    return (await prompt.question(`Forget ${whose}? It can't be undone. Type yes: `)).trim() === 'yes';
  } finally {
    prompt.close();
  }
}

async function fullIds({ api }: CommandContext, given: readonly string[]): Promise<string[]> {
  if (given.every((id) => FULL_ID.test(id))) return [...given];
  const known: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.get('/v1/memories', MemoryList, { limit: PAGE, cursor });
    known.push(...page.memories.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return given.map((id) => resolveId(id, known));
}

/**
 * The one id that ends like this.
 * @throws CliError when there is none, or more than one
 */
export function resolveId(given: string, known: readonly string[]): string {
  if (FULL_ID.test(given)) return given;
  const matches = known.filter((id) => given.length >= 4 && id.endsWith(given.toLowerCase()));
  if (matches.length === 1) return matches[0]!;
  const problem = matches.length === 0 ? 'no memory' : 'more than one memory';
  throw new CliError(`${problem} has the id "${given}": kith memories list shows them, --json in full`);
}
