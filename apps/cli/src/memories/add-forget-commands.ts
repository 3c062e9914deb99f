import { addJsonCommand } from '../input/add-command.js';
import type { Command } from '@commander-js/extra-typings';
import {
  counted,
  memoryRoutes,
  type ForgetNamed,
  type ForgetRequest,
  type ForgetResult,
  type RouteClient,
} from '@kith/contracts';
import type { z } from 'zod';
import { CliError } from '../input/cli-error.js';
import { confirm } from '../input/confirm.js';
import { readTime } from '../input/read-time.js';
import { PartDown } from '../suite/api-client.js';
import type { CommandContext } from '../suite/command-context.js';
import type { Terminal } from '../terminal/terminal.js';
import { minuteOf } from '../terminal/value-words.js';
import { MEMORY_COLUMNS } from './memory-columns.js';
import { namedMemories } from './memory-pages.js';

/** Adds the commands that forget memories, take that back, and forget all. */
export function addForgetCommands(memories: Command, { api, terminal }: CommandContext): void {
  addJsonCommand(
    memories,
    'forget [id...]',
    'forget memories and the talk they came from: by id, by what they are about, or by when they were said',
  )
    .option('--query <words>', 'memories that are really about this')
    .option('--from <day>', 'said since, such as 2026-03-01 (UTC)')
    .option('--to <day>', 'said before, such as 2026-03-31, or 2026-03-31T18:00+02:00')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--keep-talk', 'leave the talk they came from in prompts')
    .option('--dry-run', 'only say what would go')
    .action(
      async (given, { query, from, to, companion, keepTalk = false, dryRun: preview = false, json }) => {
        const hasPeriod = from !== undefined || to !== undefined;
        if ([given.length > 0, query !== undefined, hasPeriod].filter(Boolean).length !== 1)
          throw new CliError('say what to forget: ids, or --query WORDS, or --from DAY --to DAY', 2);
        const what =
          query !== undefined
            ? { query }
            : hasPeriod
              ? { period: periodOf(from, to) }
              : { ids: (await namedMemories(api, given)).map(({ id }) => id) };
        const result = await order(api, { ...what, keepTalk, preview, companion });
        if (!preview) return report(terminal, result, json);
        if (json) return terminal.json(result);
        if (result.memories.length > 0) terminal.table(result.memories, MEMORY_COLUMNS);
        for (const { at, text } of result.talk) terminal.line(`${minuteOf(at)}  ${text}`);
        terminal.note(
          result.rows + result.lines === 0
            ? 'nothing matches, so nothing would be forgotten'
            : `${describeAmount(result)} would be forgotten`,
        );
      },
    );
  addJsonCommand(
    memories,
    'undo [receipt]',
    'take a forget back, within ten minutes; without a receipt, list them',
  ).action(async (receipt, { json }) => {
    if (receipt === undefined) return listUndoable(api, terminal, json);
    const result = await api.call(memoryRoutes.undoForget, { body: { receipt } });
    if (json) return terminal.json(result);
    terminal.line(`took back ${describeAmount(result)}`);
  });
  addJsonCommand(memories, 'clear', 'forget everything')
    .option('--companion <id>', 'only what this companion remembers')
    .option('--yes', 'without asking')
    .action(async ({ companion, yes, json }) => {
      const whose = companion ? `everything ${companion} remembers of you` : 'everything remembered of you';
      const alone = 'clear asks before it forgets everything: say --yes where nobody can answer';
      if (!yes && !(await confirm(terminal, `Forget ${whose}?`, alone)))
        return terminal.note('nothing was forgotten');
      report(terminal, await order(api, { all: true, companion }), json);
    });
}

/** Gives the order. @throws CliError that also says how to take it back, where it is noted and goes on by itself */
async function order(api: RouteClient, body: z.input<typeof ForgetRequest>): Promise<ForgetResult> {
  try {
    return await api.call(memoryRoutes.forget, { body });
  } catch (error) {
    if (!(error instanceof PartDown) || error.receipt === undefined) throw error;
    throw new CliError(
      `${error.message}; for ten minutes it can be taken back: kith memories undo ${error.receipt}`,
    );
  }
}

/** Lists what can still be taken back, with the receipts. */
async function listUndoable(api: RouteClient, terminal: Terminal, asJson = false): Promise<void> {
  const list = await api.call(memoryRoutes.undoable);
  if (asJson) return terminal.json(list);
  if (list.orders.length === 0) return terminal.note('nothing was forgotten in the last ten minutes');
  terminal.table(list.orders, [
    { header: 'receipt', value: ({ receipt }) => receipt },
    { header: 'forgotten (UTC)', value: ({ at }) => minuteOf(at) },
    { header: 'until', value: ({ undoUntil }) => undoUntil.slice(11, 16) },
    { header: 'companion', value: ({ companionId }) => companionId ?? 'all' },
    { header: 'what', value: ({ what }) => nameOf(what), flexible: true },
  ]);
}

function nameOf(what: ForgetNamed): string {
  switch (what.kind) {
    case 'all':
      return 'everything';
    case 'period':
      return `said from ${minuteOf(what.from)} until ${minuteOf(what.to)}`;
    case 'ids':
      // More went than an order names: what stems from these, too.
      return `${counted(what.ids.length, 'memory', 'memories')}, with what goes with them`;
    case 'sources':
      return `what came of ${counted(what.sources.length, 'message')}`;
  }
}

function periodOf(from: string | undefined, to: string | undefined): { from: string; to: string } {
  const period = {
    from: readTime('--from', from ?? '1900-01-01').toISOString(),
    to: readTime('--to', to ?? '2199-12-31').toISOString(),
  };
  if (period.from >= period.to) throw new CliError('--from has to be before --to', 2);
  return period;
}

function report(terminal: Terminal, result: ForgetResult, asJson = false): void {
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
