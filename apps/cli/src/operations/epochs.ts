import { counted, conversationRoutes, type EpochView } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { secondOf } from '../terminal/value-words.js';

/** Prints the epochs of a conversation, the newest last. */
export async function listEpochs(
  { api, terminal }: CommandContext,
  id: string,
  { words = false, json = false }: { words?: boolean; json?: boolean },
): Promise<void> {
  const list = await api.call(conversationRoutes.epochs, { params: { id } });
  if (json) return terminal.json(list);
  terminal.table(list.epochs, [
    { header: 'epoch', value: ({ number }) => String(number), align: 'right' },
    { header: 'started', value: ({ startedAt }) => secondOf(startedAt) },
    { header: 'in short', value: ({ kept }) => String(kept), align: 'right' },
    { header: 'whole from', value: ({ tailFrom }) => tailFrom, align: 'right' },
    { header: 'check', value: describeEpoch, flexible: true },
  ]);
  if (!words) return;
  for (const { number, snapshot } of list.epochs) {
    terminal.line(
      `\nepoch ${number}: ${snapshot === null ? 'told to its person alone' : snapshot || 'nothing before it'}`,
    );
  }
}

/** Goes back to an earlier epoch. */
export async function restoreEpoch(
  { api, terminal }: CommandContext,
  id: string,
  epoch: string,
): Promise<void> {
  if (!/^\d{1,6}$/.test(epoch))
    throw new CliError('name an epoch by its number: kith conversations epochs ID', 2);
  const { number } = await api.call(conversationRoutes.restoreEpoch, {
    params: { id, number: Number(epoch) },
  });
  terminal.line(`epoch ${number} begins as epoch ${epoch} did`);
}

/** Words the result of a snapshot's check. */
export function describeFindings({
  lines,
  probes,
  held,
  byModel,
  added,
  missed,
  longerTail,
}: NonNullable<EpochView['findings']>): string {
  return [
    `${counted(lines, 'line')} told in short`,
    `${held} of ${counted(probes, 'question')} answered${byModel > 0 ? ` (${byModel} by the fast model)` : ''}`,
    added > 0 ? `${counted(added, 'line')} added` : '',
    longerTail ? `a longer tail, ${missed} still open` : '',
  ]
    .filter(Boolean)
    .join(', ');
}

function describeEpoch({ findings, restoredFrom }: EpochView): string {
  if (restoredFrom !== null) return `as epoch ${restoredFrom}`;
  return findings ? describeFindings(findings) : 'the beginning';
}
