import { counted, memoryRoutes, type ForgetRequest, type ForgetResult } from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { confirm } from '../input/confirm.js';
import { readTime } from '../input/read-time.js';
import { PartDown } from '../suite/api-client.js';
import type { CommandContext } from '../suite/command-context.js';
import { minuteOf } from '../terminal/value-words.js';
import { namedMemories } from './memory-pages.js';
import { MEMORY_COLUMNS } from './memory-columns.js';

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
        : { ids: (await namedMemories(context, given)).map(({ id }) => id) };
  const body = { ...what, keepTalk, preview, companion };
  const result = await order(context, body);
  if (!preview) return report(context, result, asJson);
  if (asJson) return context.terminal.json(result);
  if (result.memories.length > 0) context.terminal.table(result.memories, MEMORY_COLUMNS);
  for (const { at, text } of result.talk) context.terminal.line(`${minuteOf(at)}  ${text}`);
  context.terminal.note(
    result.rows + result.lines === 0
      ? 'nothing matches, so nothing would be forgotten'
      : `${describeAmount(result)} would be forgotten`,
  );
}

/** Removes every memory, after asking. @throws CliError when nobody is there to ask and `yes` is not given */
export async function clearMemories(
  context: CommandContext,
  options: { companion?: string; yes?: boolean; json?: boolean },
): Promise<void> {
  const { companion } = options;
  if (!options.yes) {
    const whose = companion ? `everything ${companion} remembers of you` : 'everything remembered of you';
    const alone = 'clear asks before it forgets everything: say --yes where nobody can answer';
    if (!(await confirm(context.terminal, `Forget ${whose}?`, alone)))
      return context.terminal.note('nothing was forgotten');
  }
  const result = await order(context, { all: true, companion });
  report(context, result, options.json ?? false);
}

/** Gives the order. @throws CliError that also says how to take it back, where it is noted and goes on by itself */
async function order({ api }: CommandContext, body: z.input<typeof ForgetRequest>): Promise<ForgetResult> {
  try {
    return await api.call(memoryRoutes.forget, { body });
  } catch (error) {
    if (!(error instanceof PartDown) || error.receipt === undefined) throw error;
    throw new CliError(
      `${error.message}; for ten minutes it can be taken back: kith memories undo ${error.receipt}`,
    );
  }
}

/** Takes a forget back by its receipt. @throws CliError once its ten minutes are over */
export async function undoForget(
  { api, terminal }: CommandContext,
  receipt: string,
  options: { json?: boolean },
): Promise<void> {
  const result = await api.call(memoryRoutes.undoForget, { body: { receipt } });
  if (options.json) return terminal.json(result);
  terminal.line(`took back ${describeAmount(result)}`);
}

function periodOf(from: string | undefined, to: string | undefined): { from: string; to: string } {
  const period = {
    from: readTime('--from', from ?? '1900-01-01').toISOString(),
    to: readTime('--to', to ?? '2199-12-31').toISOString(),
  };
  if (period.from >= period.to) throw new CliError('--from has to be before --to', 2);
  return period;
}

function report({ terminal }: CommandContext, result: ForgetResult, asJson: boolean): void {
  const { rows, lines, points, receipt, undoUntil } = result;
  if (asJson) return terminal.json({ forgotten: rows, lines, points, receipt, undoUntil });
  if (receipt === null) return terminal.note('nothing matches, so nothing was forgotten');
  terminal.line(`forgot ${describeAmount(result)}`);
  terminal.note(
    `until ${undoUntil?.slice(11, 16)} (UTC) it can be taken back: kith memories undo ${receipt}`,
  );
}

function describeAmount({ rows, lines }: Pick<ForgetResult, 'rows' | 'lines'>): string {
  return `${counted(rows, 'memory', 'memories')} and ${counted(lines, 'line')} of talk`;
}
