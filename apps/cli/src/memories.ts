import { createInterface } from 'node:readline/promises';
import {
  ForgetResult,
  UndoResult,
  MemoryList,
  MemorySearchResult,
  MemoryView,
  PersonDescription,
  Privacy,
  type MemoryChange,
} from '@kith/contracts';
import { WHY_COLUMNS } from './chat/describe-turn.js';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import { readTime } from './read-time.js';
import type { Column } from './terminal/table.js';
import { plural } from './terminal/plural.js';

const PAGE = 200;
/** The end of an id is random, its beginning a time that neighbours share. */
const SHORT_ID = 8;
const FULL_ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

const LIST_COLUMNS: Column<MemoryView>[] = [
  { header: 'id', value: ({ id }) => id.slice(-SHORT_ID) },
  { header: 'said', value: ({ saidAt }) => saidAt.slice(0, 10) },
  { header: 'kind', value: ({ kind }) => kind },
  { header: 'heard', value: ({ audience }) => (audience === 'direct' ? 'alone' : 'channel') },
  { header: 'shelf', value: ({ shelf, pinned }) => (pinned ? 'pinned' : shelf) },
  { header: 'weight', value: ({ importance }) => importance.toFixed(0), align: 'right' },
  { header: 'memory', value: ({ text }) => text, flexible: true },
];

export interface MemoryOptions {
  companion?: string;
  kind?: string;
  shelf?: string;
  archive?: boolean;
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
    const { companion, kind, shelf } = options;
    const page = await api.get('/v1/memories', MemoryList, { limit, cursor, companion, kind, shelf });
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
  if (query.trim() === '') throw new CliError('say what to search for', 2);
  const found = await api.get('/v1/memories/search', MemorySearchResult, {
    q: query,
    limit: options.limit,
    companion: options.companion,
    archive: options.archive ? 'true' : undefined,
  });
  if (options.json) return terminal.json(found);
  if (found.degraded.length > 0) terminal.note(`searched without ${found.degraded.join(', ')}`);
  if (found.memories.length === 0) return terminal.note('nothing comes to mind');
  terminal.table(found.memories, [LIST_COLUMNS[0]!, ...WHY_COLUMNS]);
}

/** Prints what says much the same as a memory, itself left out. */
export async function showSimilar(
  context: CommandContext,
  given: string,
  options: MemoryOptions,
): Promise<void> {
  const { api, terminal } = context;
  const [memory] = await named(context, [given]);
  const { text } = memory!;
  const found = await api.get('/v1/memories/search', MemorySearchResult, {
    q: text,
    limit: options.limit + 1,
    companion: options.companion,
  });
  const memories = found.memories.filter(({ id }) => id !== memory!.id).slice(0, options.limit);
  if (options.json) return terminal.json({ of: memory, memories });
  if (memories.length === 0) return terminal.note('nothing is like it');
  terminal.table(memories, [LIST_COLUMNS[0]!, ...WHY_COLUMNS]);
}

/** Corrects, pins or releases one. */
export async function changeMemory(
  context: CommandContext,
  given: string,
  change: MemoryChange,
  asJson: boolean,
): Promise<void> {
  const [memory] = await named(context, [given]);
  const changed = await context.api.send('PATCH', `/v1/memories/${memory!.id}`, change, MemoryView);
  if (asJson) return context.terminal.json(changed);
  context.terminal.table([changed], LIST_COLUMNS);
}

/** Tells whether what is said is remembered, after changing it where that is asked for. */
export async function changePrivacy(
  { api, terminal }: CommandContext,
  wanted: 'on' | 'off' | undefined,
  asJson: boolean,
): Promise<void> {
  const path = '/v1/memories/privacy';
  const privacy =
    wanted === undefined
      ? await api.get(path, Privacy)
      : await api.send('PUT', path, { private: wanted === 'on' }, Privacy);
  if (asJson) return terminal.json(privacy);
  const since = privacy.since === null ? '' : ` since ${privacy.since.slice(0, 16).replace('T', ' ')} (UTC)`;
  terminal.line(
    privacy.private ? `private${since}: nothing you say is remembered` : 'what you say is remembered',
  );
}

/** What is known of the caller, as a page. */
export async function describeMe(
  { api, terminal }: CommandContext,
  { companion, json }: { companion?: string; json?: boolean },
): Promise<void> {
  const description = await api.get('/v1/memories/description', PersonDescription, { companion });
  if (json) return terminal.json(description);
  terminal.line(description.page.trimEnd());
}

/** Counts what is kept by kind, shelf and companion's audience. */
export async function showStats({ api, terminal }: CommandContext, options: MemoryOptions): Promise<void> {
  const memories = await all(api, options);
  const counts = new Map<string, number>();
  for (const { kind, shelf, audience } of memories) {
    const row = `${kind} ${shelf} ${audience === 'direct' ? 'alone' : 'channel'}`;
    counts.set(row, (counts.get(row) ?? 0) + 1);
  }
  const rows = [...counts].map(([key, count]) => {
    const [kind = '', shelf = '', heard = ''] = key.split(' ');
    return { kind, shelf, heard, count };
  });
  const recalled = memories.filter(({ timesRecalled }) => timesRecalled > 0).length;
  if (options.json) return terminal.json({ total: memories.length, recalled, rows });
  if (rows.length === 0) return terminal.note('there are no memories yet');
  terminal.table(rows, [
    { header: 'kind', value: ({ kind }) => kind },
    { header: 'shelf', value: ({ shelf }) => shelf },
    { header: 'heard', value: ({ heard }) => heard },
    { header: 'memories', value: ({ count }) => String(count), align: 'right' },
  ]);
  terminal.note(`${memories.length} in all; ${recalled} were recalled at least once`);
}

export interface ForgetOptions {
  query?: string;
  from?: string;
  to?: string;
  companion?: string;
  keepTalk?: boolean;
  dryRun?: boolean;
  json?: boolean;
}

/**
 * Removes memories: by their ids or the short ones the list shows, by what a search finds, or by when they were said.
 * @throws CliError unless exactly one of the three is given
 */
export async function forgetMemories(
  context: CommandContext,
  given: readonly string[],
  options: ForgetOptions,
): Promise<void> {
  const { query, from, to, companion, keepTalk = false, dryRun: preview = false } = options;
  const asJson = options.json ?? false;
  const hasPeriod = from !== undefined || to !== undefined;
  if ([given.length > 0, query !== undefined, hasPeriod].filter(Boolean).length !== 1) {
    throw new CliError('say what to forget: ids, or --query WORDS, or --from DAY --to DAY', 2);
  }
  const what =
    query !== undefined
      ? { query }
      : hasPeriod
        ? { period: periodOf(from, to) }
        : { ids: (await named(context, given)).map(({ id }) => id) };
  const body = { ...what, keepTalk, preview, ...(companion ? { companion } : {}) };
  const result = await context.api.send('POST', '/v1/memories/forget', body, ForgetResult);
  if (!preview) return report(context, result, asJson);
  if (asJson) return context.terminal.json(result);
  if (result.memories.length > 0) context.terminal.table(result.memories, LIST_COLUMNS);
  for (const { at, text } of result.talk)
    context.terminal.line(`${at.slice(0, 16).replace('T', ' ')}  ${text}`);
  context.terminal.note(
    result.rows + result.lines === 0
      ? 'nothing comes to mind for that, so nothing would be forgotten'
      : `${counted(result)} would be forgotten`,
  );
}

function counted({ rows, lines }: Pick<ForgetResult, 'rows' | 'lines'>): string {
  return `${plural(rows, 'memory', 'memories')} and ${plural(lines, 'line', 'lines')} of talk`;
}

/** Takes a forget back by its receipt. @throws CliError once its ten minutes are over */
export async function undoForget(
  { api, terminal }: CommandContext,
  receipt: string,
  options: { json?: boolean },
): Promise<void> {
  const result = await api.send('POST', '/v1/memories/forget/undo', { receipt }, UndoResult);
  if (options.json) return terminal.json(result);
  terminal.line(`took back ${counted(result)}`);
}

function periodOf(from: string | undefined, to: string | undefined): { from: string; to: string } {
  const period = {
    from: readTime('--from', from ?? '1900-01-01').toISOString(),
    to: readTime('--to', to ?? '2199-12-31').toISOString(),
  };
  if (period.from >= period.to) throw new CliError('--from has to be before --to', 2);
  return period;
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
  report(context, result, options.json ?? false);
}

function report({ terminal }: CommandContext, result: ForgetResult, asJson: boolean): void {
  const { rows, lines, points, receipt, undoUntil } = result;
  if (asJson) return terminal.json({ forgotten: rows, lines, points, receipt, undoUntil });
  if (receipt === null) return terminal.note('nothing comes to mind for that, so nothing was forgotten');
  terminal.line(`forgot ${counted(result)}`);
  terminal.note(
    `until ${undoUntil?.slice(11, 16)} (UTC) it can be taken back: kith memories undo ${receipt}`,
  );
}

async function confirmClear({ terminal }: CommandContext, companion: string | undefined): Promise<boolean> {
  if (!terminal.isInteractive) {
    throw new CliError('clear asks before it forgets everything: say --yes where nobody can answer', 2);
  }
  const prompt = createInterface({ input: terminal.input, output: terminal.output });
  try {
    const whose = companion ? `everything ${companion} remembers of you` : 'everything remembered of you';
    return (await prompt.question(`Forget ${whose}? Type yes: `)).trim() === 'yes';
  } finally {
    prompt.close();
  }
}

/** Every memory there is. */
async function all(
  api: CommandContext['api'],
  { companion }: Pick<MemoryOptions, 'companion'>,
): Promise<MemoryView[]> {
  const memories: MemoryView[] = [];
  let cursor: string | undefined;
  do {
    const page = await api.get('/v1/memories', MemoryList, { limit: PAGE, cursor, companion });
    memories.push(...page.memories);
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  return memories;
}

/** The memories with these ids, short or in full. */
async function named({ api }: CommandContext, given: readonly string[]): Promise<MemoryView[]> {
  const known = await all(api, {});
  const ids = known.map(({ id }) => id);
  return given.map((id) => {
    const memory = known.find((each) => each.id === resolveId(id, ids));
    if (!memory) throw new CliError(`no memory has the id "${id}": kith memories list shows them`);
    return memory;
  });
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
