import {
  counted,
  type CoreBlock,
  CoreRecord,
  explainIssue,
  type ImportRecord,
  MAX_IMPORT,
  MemoryRecord,
  memoryRoutes,
  type ImportResult,
} from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { textPieces } from '../input/files.js';
import { linesOf } from '../input/lines-of.js';
import { AlreadyThere, NoCompanion } from '../suite/api-client.js';
import type { CommandContext } from '../suite/command-context.js';

/** Number of lines after which progress is shown again. */
const TELL_EVERY = 2_000;
/** Bytes of the lines of one request: the API takes a megabyte at once, and the rest of the request needs some of it. */
const MAX_BATCH_BYTES = 900_000;

type AnyLine = z.input<typeof MemoryRecord> | CoreRecord;

/** Lines of one companion that go in one request. */
interface Batch {
  companion: string | undefined;
  records: z.input<typeof ImportRecord>[];
  bytes: number;
}

/** Core memory that is there by now, by companion. */
type HeldBlocks = Map<string, CoreBlock[]>;

/** Numbers of the lines that were left out, by the companion that is not there. */
type LeftOutLines = Map<string, number>;

/**
 * Keeps the lines of a file, each once, so that the same file twice changes nothing. A line goes to the companion that
 * is wanted, else to its own, else to the default one.
 * @throws CliError naming the line that is not a memory, and what is kept by then: all that came before it; or the
 * companions that do not exist, once the lines of the others are kept
 */
export async function importMemories(
  { api, terminal }: CommandContext,
  file: string,
  { companion: wanted, json: asJson = false }: { companion?: string; json?: boolean },
): Promise<void> {
  const total: ImportResult = { kept: 0, known: 0, left: 0 };
  let done = 0;
  const absent: LeftOutLines = new Map();
  const core: CoreRecord[] = [];
  const lines = readRecords(textPieces(file, terminal.input));
  try {
    for await (const { companion, records } of batches(aside(lines, core), wanted)) {
      const keep = () => api.call(memoryRoutes.import, { body: { records, companion } });
      const result = await unlessAbsent(absent, wanted ? undefined : companion, records.length, keep);
      for (const name of ['kept', 'known', 'left'] as const) total[name] += result?.[name] ?? 0;
      const before = done;
      done += records.length;
      if (Math.floor(done / TELL_EVERY) > Math.floor(before / TELL_EVERY) && !asJson)
        terminal.note(`${done} lines`);
    }
    const there: HeldBlocks = new Map();
    for (const block of core) {
      const keep = () => importCore(api, block, wanted, there);
      const result = await unlessAbsent(absent, wanted ? undefined : block.companion, 1, keep);
      if (result) total[result] += 1;
      done += 1;
    }
  } catch (error) {
    if (!(error instanceof CliError) || done === 0) throw error;
    const again = 'run it again once that is mended, what is kept is known then';
    const parts = [error.message, `until then: ${describe(total, done)}; ${again}`, ...absentWords(absent)];
    throw new CliError(parts.join('\n'), error.exitCode, { cause: error });
  }
  if (asJson) terminal.json(total);
  else if (done === 0) terminal.note('the file has no lines');
  else terminal.line(describe(total, done));
  if (absent.size > 0) throw new CliError(absentWords(absent).join('\n'));
}

/**
 * Keeps lines, unless the companion that they themselves name is not there: those are counted, so that the others are
 * kept. Such a companion is not asked for again.
 */
async function unlessAbsent<T>(
  absent: LeftOutLines,
  own: string | undefined,
  count: number,
  keep: () => Promise<T>,
): Promise<T | undefined> {
  if (own === undefined) return keep();
  const left = absent.get(own);
  try {
    if (left === undefined) return await keep();
  } catch (error) {
    if (!(error instanceof NoCompanion)) throw error;
  }
  absent.set(own, (left ?? 0) + count);
  return undefined;
}

/** Says whose lines were left out, and what to do about them. */
function absentWords(absent: LeftOutLines): string[] {
  return [...absent].map(
    ([companion, count]) =>
      `there is no companion "${companion}": ${counted(count, 'line')} of its own left out; ` +
      'to have another keep them, import a file of them alone with --companion',
  );
}

function describe({ kept, known, left }: ImportResult, done: number): string {
  const more = [
    ...(known > 0 ? [`${known} were known`] : []),
    ...(left > 0 ? [`${left} were left out, as forgotten, empty, or another block of core memory`] : []),
  ];
  return `kept ${kept} of ${counted(done, 'line')}${more.length > 0 ? `; ${more.join(', ')}` : ''}`;
}

/** Keeps a block in its own place where there is none yet. The operator's block is left out: only the operator writes it. */
async function importCore(
  api: CommandContext['api'],
  { core, companion: of, text, audience }: CoreRecord,
  wanted: string | undefined,
  there: HeldBlocks,
): Promise<keyof ImportResult> {
  if (core === 'operator') return 'left';
  const companion = wanted ?? of;
  const blocks = there.get(companion) ?? (await api.call(memoryRoutes.core, { query: { companion } })).blocks;
  there.set(companion, blocks);
  const held = blocks.find((block) => block.label === core && block.audience === (audience ?? 'direct'));
  if (held) return held.text === text ? 'known' : 'left';
  // One that the list does not show, of a server that the app has left, is not replaced either.
  const body = { companion, text, audience, basedOn: '' };
  try {
    blocks.push(await api.call(memoryRoutes.editCore, { params: { label: core }, body }));
    return 'kept';
  } catch (error) {
    if (error instanceof AlreadyThere) return 'left';
    throw error;
  }
}

/** Yields the memories as they come, and puts core memory into `core`. */
async function* aside(
  lines: AsyncIterable<AnyLine>,
  core: CoreRecord[],
): AsyncGenerator<z.input<typeof MemoryRecord>> {
  for await (const line of lines) {
    if ('core' in line) core.push(line);
    else yield line;
  }
}

/** Reads a record of each line that is not blank. @throws CliError naming the line that is no record */
export async function* readRecords(pieces: AsyncIterable<string>): AsyncGenerator<AnyLine> {
  let number = 0;
  for await (const line of linesOf(pieces)) {
    number += 1;
    if (line.trim() === '') continue;
    const json = parseJson(line);
    const isCore = typeof json === 'object' && json !== null && 'core' in json;
    const parsed = (isCore ? CoreRecord : MemoryRecord).safeParse(json);
    if (!parsed.success) throw new CliError(`line ${number}: ${problemOf(parsed.error)}`, 2);
    yield parsed.data;
  }
}

/** Fills requests, one at a time for each companion. Lines before one that is no record are yielded before its error. */
async function* batches(
  lines: AsyncIterable<z.input<typeof MemoryRecord>>,
  wanted: string | undefined,
): AsyncGenerator<Batch> {
  const open = new Map<string | undefined, Batch>();
  let problem: { error: unknown } | undefined;
  try {
    for await (const { companion: of, ...record } of lines) {
      const companion = wanted ?? of;
      // With the comma after it.
      const bytes = Buffer.byteLength(JSON.stringify(record)) + 1;
      let batch = open.get(companion);
      if (batch && (batch.records.length === MAX_IMPORT || batch.bytes + bytes > MAX_BATCH_BYTES)) {
        yield batch;
        batch = undefined;
      }
      batch ??= { companion, records: [], bytes: 0 };
      batch.records.push(record);
      batch.bytes += bytes;
      open.set(companion, batch);
    }
  } catch (error) {
    problem = { error };
  }
  yield* open.values();
  if (problem) throw problem.error;
}

function parseJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function problemOf({ issues: [issue] }: z.ZodError): string {
  if (!issue || issue.path.length === 0) return 'is not a memory: write one JSON object with text and saidAt';
  return `${issue.path.join('.')}: ${explainIssue(issue)}`;
}
