import { createReadStream } from 'node:fs';
import {
  counted,
  CoreRecord,
  explainIssue,
  ImportRecord,
  MAX_IMPORT,
  memoryRoutes,
  type ImportResult,
} from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { unreadable } from '../input/files.js';
import { linesOf } from '../input/lines-of.js';
import type { CommandContext } from '../suite/command-context.js';

/** Number of lines after which progress is shown again. */
const TELL_EVERY = 2_000;
/** Bytes of the lines of one request: the API takes a megabyte at once, of which some is left for what is around them. */
const MAX_BATCH_BYTES = 900_000;
/** Name of the standard input in place of a file's. */
const PIPE = '-';

type Line = z.input<typeof ImportRecord>;
type AnyLine = Line | CoreRecord;

/**
 * Keeps the lines of a file, each once, so that the same file twice changes nothing.
 * @throws CliError naming the line that is not a memory; what came before it in the file is kept by then
 */
export async function importMemories(
  { api, terminal }: CommandContext,
  file: string,
  options: { companion?: string; json?: boolean },
): Promise<void> {
  const total: ImportResult = { kept: 0, known: 0, left: 0 };
  let done = 0;
  const core: CoreRecord[] = [];
  // Decoded by the stream, since its pieces may end within a letter.
  const pieces = file === PIPE ? terminal.input.setEncoding('utf8') : piecesOf(file);
  const { companion } = options;
  for await (const records of batches(aside(readRecords(pieces), core))) {
    const result = await api.call(memoryRoutes.import, { body: { records, companion } });
    for (const name of ['kept', 'known', 'left'] as const) total[name] += result[name];
    done += records.length;
    if (done % TELL_EVERY === 0 && !options.json) terminal.note(`${done} lines`);
  }
  for (const block of core) total[await importCore(api, block, companion)] += 1;
  done += core.length;
  if (options.json) return terminal.json(total);
  if (done === 0) return terminal.note('the file has no lines');
  const more = [
    ...(total.known > 0 ? [`${total.known} were known`] : []),
    ...(total.left > 0
      ? [`${total.left} were left out, as forgotten, empty, or another block of core memory`]
      : []),
  ];
  terminal.line(
    `kept ${total.kept} of ${counted(done, 'line')}${more.length > 0 ? `; ${more.join(', ')}` : ''}`,
  );
}

/** Keeps a block where there is none yet. The operator's block is left out: only the operator writes it. */
async function importCore(
  api: CommandContext['api'],
  { core, companion: of, text }: CoreRecord,
  wanted: string | undefined,
): Promise<keyof ImportResult> {
  if (core === 'operator') return 'left';
  const companion = wanted ?? of;
  const { blocks } = await api.call(memoryRoutes.core, { query: { companion } });
  const held = blocks.find(({ label }) => label === core);
  if (held) return held.text === text ? 'known' : 'left';
  await api.call(memoryRoutes.editCore, { params: { label: core }, body: { companion, text } });
  return 'kept';
}

/** Yields the memories as they come, and puts core memory into `core`. */
async function* aside(lines: AsyncIterable<AnyLine>, core: CoreRecord[]): AsyncGenerator<Line> {
  for await (const line of lines) {
    if ('core' in line) core.push(line);
    else yield line;
  }
}

/** Reads a file in pieces. Its lines are cut by the reader: `readLines` ends one at U+2028 too, which JSON may hold. */
async function* piecesOf(file: string): AsyncGenerator<string> {
  try {
    yield* createReadStream(file, 'utf8') as AsyncIterable<string>;
  } catch (error) {
    unreadable(file)(error);
  }
}

/** Reads a record of each line that is not blank. @throws CliError naming the line that is none */
export async function* readRecords(pieces: AsyncIterable<string>): AsyncGenerator<AnyLine> {
  let number = 0;
  for await (const line of linesOf(pieces)) {
    number += 1;
    if (line.trim() === '') continue;
    const json = parseJson(line);
    const isCore = typeof json === 'object' && json !== null && 'core' in json;
    const parsed = (isCore ? CoreRecord : ImportRecord).safeParse(json);
    if (!parsed.success) throw new CliError(`line ${number}: ${problemOf(parsed.error)}`, 2);
    yield parsed.data;
  }
}

async function* batches(records: AsyncIterable<Line>): AsyncGenerator<Line[]> {
  let batch: Line[] = [];
  let bytes = 0;
  for await (const record of records) {
    // With the comma after it.
    const more = Buffer.byteLength(JSON.stringify(record)) + 1;
    if (batch.length === MAX_IMPORT || (batch.length > 0 && bytes + more > MAX_BATCH_BYTES)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(record);
    bytes += more;
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
  if (!issue || issue.path.length === 0) return 'is not a memory: write one JSON object with text and saidAt';
  return `${issue.path.join('.')}: ${explainIssue(issue)}`;
}
