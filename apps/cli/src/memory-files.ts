import { createWriteStream } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import {
  CompanionList,
  CoreBlock,
  CoreMemory,
  CoreRecord,
  ImportRecord,
  ImportResult,
  MAX_IMPORT,
  MemoryList,
  explainIssue,
  type MemoryView,
} from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from './cli-error.js';
import type { CommandContext } from './command-context.js';
import { printableJson } from './terminal/display-text.js';
import { plural } from './terminal/plural.js';

const PAGE = 200;
const TELL_EVERY = 2_000;
/** The API takes a megabyte at once. */
const BATCH_CHARACTERS = 200_000;
/** Standard output, or input. */
const PIPE = '-';

type Line = z.input<typeof ImportRecord>;
type AnyLine = Line | CoreRecord;

/**
 * Writes every memory as a line of JSON, without vectors, so that it outlives a change of model. A file that can't be
 * finished is taken away again: half an export looks like a whole one.
 */
export async function exportMemories(
  { api, terminal }: CommandContext,
  file: string,
  options: { companion?: string },
): Promise<void> {
  const lines = readAll({ api, terminal }, options);
  if (file === PIPE) {
    for await (const line of lines) terminal.output.write(line);
    return;
  }
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  try {
    await pipeline(lines, out);
  } catch (error) {
    const { code, syscall } = error as NodeJS.ErrnoException;
    if (code !== 'EEXIST') await rm(file, { force: true });
    throw syscall === undefined ? error : cannotWrite(file, error as Error);
  }
}

async function* readAll(
  { api, terminal }: Pick<CommandContext, 'api' | 'terminal'>,
  { companion }: { companion?: string },
): AsyncGenerator<string> {
  let count = 0;
  let cursor: string | undefined;
  do {
    const query = { limit: PAGE, cursor, companion, asKept: 'true' };
    const page = await api.get('/v1/memories', MemoryList, query);
    for (const memory of page.memories) yield `${printableJson(lineOf(memory))}\n`;
    count += page.memories.length;
    cursor = page.nextCursor ?? undefined;
    if (count % TELL_EVERY === 0 && cursor) terminal.note(`${count} of ${page.total}`);
  } while (cursor);
  const core = await readCore(api, companion);
  for (const block of core) yield `${printableJson(block)}\n`;
  const blocks = core.length === 0 ? '' : `, and ${core.length} of core memory`;
  terminal.note(`exported ${plural(count, 'memory', 'memories')}${blocks}`);
}

/** What is always in mind, with one companion or with each. */
async function readCore(api: CommandContext['api'], companion: string | undefined): Promise<CoreRecord[]> {
  const { companions } = await api.get('/v1/companions', CompanionList);
  const blocks: CoreRecord[] = [];
  for (const { id } of companions.filter((one) => companion === undefined || one.id === companion)) {
    const core = await api.get('/v1/memories/core', CoreMemory, { companion: id });
    blocks.push(...core.blocks.map(({ label, text }) => ({ core: label, companion: id, text })));
  }
  return blocks;
}

/**
 * Keeps the lines of a file, each once, so that the same file twice changes nothing.
 * @throws CliError naming the line that is no memory; what came before it in the file is kept by then
 */
export async function importMemories(
  { api, terminal }: CommandContext,
  file: string,
  options: { companion?: string; json?: boolean },
): Promise<void> {
  const total: ImportResult = { kept: 0, known: 0, left: 0 };
  let done = 0;
  const core: CoreRecord[] = [];
  const lines = aside(readRecords(file === PIPE ? terminal.input : linesOf(file)), core);
  for await (const records of batches(lines)) {
    const { companion } = options;
    const result = await api.send(
      'POST',
      '/v1/memories/import',
      { records, ...(companion ? { companion } : {}) },
      ImportResult,
    );
    for (const name of ['kept', 'known', 'left'] as const) total[name] += result[name];
    done += records.length;
    if (done % TELL_EVERY === 0 && !options.json) terminal.note(`${done} lines`);
  }
  for (const block of core) total[await importCore(api, block, options.companion)] += 1;
  done += core.length;
  if (options.json) return terminal.json(total);
  if (done === 0) return terminal.note('there is nothing in it');
  const more = [
    ...(total.known > 0 ? [`${total.known} were known`] : []),
    ...(total.left > 0
      ? [`${total.left} were left out, as forgotten, empty, or another block of core memory`]
      : []),
  ];
  terminal.line(
    `kept ${total.kept} of ${plural(done, 'line')}${more.length > 0 ? `; ${more.join(', ')}` : ''}`,
  );
}

/** Keeps a block where there is none. The operator's is the operator's to write. */
async function importCore(
  api: CommandContext['api'],
  { core, companion: of, text }: CoreRecord,
  wanted: string | undefined,
): Promise<keyof ImportResult> {
  if (core === 'operator') return 'left';
  const companion = wanted ?? of;
  const { blocks } = await api.get('/v1/memories/core', CoreMemory, { companion });
  const held = blocks.find(({ label }) => label === core);
  if (held) return held.text === text ? 'known' : 'left';
  await api.send('PUT', `/v1/memories/core/${core}`, { companion, text }, CoreBlock);
  return 'kept';
}

/** Memories as they come; what is core memory goes to `core`. */
async function* aside(lines: AsyncIterable<AnyLine>, core: CoreRecord[]): AsyncGenerator<Line> {
  for await (const line of lines) {
    if ('core' in line) core.push(line);
    else yield line;
  }
}

function lineOf({
  text,
  saidAt,
  speaker,
  conversation,
  sources,
  kind,
  audience,
  importance,
  fact,
  pinned,
}: MemoryView): Line {
  return {
    text,
    saidAt,
    ...(speaker === null ? {} : { speaker }),
    ...(conversation === null ? {} : { conversation }),
    ...{ sources, kind, audience, importance },
    ...(fact === null ? {} : { fact }),
    ...(pinned ? { pinned } : {}),
  };
}

async function* linesOf(file: string): AsyncGenerator<string> {
  const handle = await open(file).catch((error: unknown) => {
    throw new CliError(`${file} can't be read: ${(error as Error).message}`, 2);
  });
  try {
    for await (const line of handle.readLines()) yield `${line}\n`;
  } finally {
    await handle.close().catch(() => undefined);
  }
}

/** One record for each line that is not blank. */
export async function* readRecords(pieces: AsyncIterable<string | Buffer>): AsyncGenerator<AnyLine> {
  let number = 0;
  let rest = '';
  const read = function* (line: string): Generator<AnyLine> {
    number += 1;
    if (line.trim() === '') return;
    const json = parseJson(line);
    const isCore = typeof json === 'object' && json !== null && 'core' in json;
    const parsed = (isCore ? CoreRecord : ImportRecord).safeParse(json);
    if (!parsed.success) throw new CliError(`line ${number}: ${problemOf(parsed.error)}`, 2);
    yield parsed.data;
  };
  for await (const piece of pieces) {
    const lines = (rest + piece.toString()).split('\n');
    rest = lines.pop()!;
    for (const line of lines) yield* read(line);
  }
  if (rest !== '') yield* read(rest);
}

async function* batches(records: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let characters = 0;
  for await (const record of records) {
    batch.push(record);
    characters += record.text.length;
    if (batch.length < MAX_IMPORT && characters < BATCH_CHARACTERS) continue;
    yield batch;
    [batch, characters] = [[], 0];
  }
  if (batch.length > 0) yield batch;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  if (!issue || issue.path.length === 0)
    return 'is no memory: one JSON object with text and saidAt is wanted';
  return `${issue.path.join('.')}: ${explainIssue(issue)}`;
}

function cannotWrite(file: string, error: Error): CliError {
  const isThere = (error as NodeJS.ErrnoException).code === 'EEXIST';
  return new CliError(isThere ? `${file} is there already: name another` : `${file}: ${error.message}`, 2);
}
