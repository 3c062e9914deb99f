import { Option, type Command } from '@commander-js/extra-typings';
import { conversationRoutes, counted, type EpochView, TurnOutcome, turnRoutes } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { positive } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { tellFull } from '../suite/read-list.js';
import { secondOf } from '../terminal/value-words.js';
import { describeFindings, describeTurn } from './describe-turn.js';

/** Adds the commands for what became of messages, and how a conversation is put into prompts. */
export function addTurnCommands(program: Command, { api, terminal }: CommandContext): void {
  const turn = addCommand(program, 'turn', 'show what became of a message');
  addJsonCommand(turn, 'list', 'list the latest turns, and messages that still wait for theirs')
    .addOption(new Option('--outcome <outcome>', 'only with this outcome').choices(TurnOutcome.options))
    .option('--person <id>', 'whose; needs a key with the scope admin')
    .option('--limit <n>', 'how many', positive, 20)
    .action(async ({ outcome, person, limit, json }) => {
      const list = await api.call(turnRoutes.list, { query: { outcome, person, limit } });
      if (json) return terminal.json(list);
      for (const { messageId, receivedAt, attempts } of list.waiting)
        terminal.note(
          `waits: message ${messageId}, received ${secondOf(receivedAt)}, ${counted(attempts, 'attempt')}`,
        );
      if (list.turns.length === 0) return terminal.note('no such turns');
      const reasonOf = ({ reason, degraded }: (typeof list.turns)[number]) =>
        [reason, degraded.length > 0 ? `without ${degraded.join(', ')}` : null].filter(Boolean).join('; ');
      terminal.table(list.turns, [
        { header: 'turn', value: ({ turnId }) => turnId },
        { header: 'started', value: ({ startedAt }) => secondOf(startedAt) },
        { header: 'door', value: ({ door }) => door },
        { header: 'outcome', value: ({ outcome: how }) => how },
        { header: 'ms', value: ({ tookMs }) => String(tookMs), align: 'right' },
        { header: 'reason', value: reasonOf, flexible: true },
      ]);
      tellFull(terminal, list.turns.length, limit);
    });
  addJsonCommand(
    turn,
    'show [id]',
    'show everything on a turn’s way: claim, gate, recall, prompt, model, delivery',
  )
    .option('--message <id>', 'by a message’s id, such as Discord’s')
    .action(async (given, { message, json }) => {
      const id = given ?? (await turnOfMessage(api, message));
      const shown = await api.call(turnRoutes.show, { params: { id } });
      if (json) return terminal.json(shown);
      for (const line of describeTurn(shown)) terminal.line(line);
    });

  const conversations = addCommand(
    program,
    'conversations',
    'look at how a conversation is put into prompts',
  );
  addJsonCommand(
    conversations,
    'epochs <id>',
    'list its epochs, and how much of what came before each is shortened',
  )
    .option('--words', 'the snapshots’ words too, of your own conversation')
    .action(async (id, { words, json }) => {
      const list = await api.call(conversationRoutes.epochs, { params: { id } });
      if (json) return terminal.json(list);
      terminal.table(list.epochs, [
        { header: 'epoch', value: ({ number }) => String(number), align: 'right' },
        { header: 'started', value: ({ startedAt }) => secondOf(startedAt) },
        { header: 'in short', value: ({ kept }) => String(kept), align: 'right' },
        { header: 'whole from', value: ({ tailFrom }) => tailFrom, align: 'right' },
        { header: 'check', value: describeEpoch, flexible: true },
      ]);
      for (const { number, snapshot } of words ? list.epochs : []) {
        const told = snapshot === null ? 'told to its person alone' : snapshot || 'nothing before it';
        terminal.line(`\nepoch ${number}: ${told}`);
      }
    });
  addCommand(
    conversations,
    'restore <id> <epoch>',
    'go back to an earlier epoch; needs a key with the scope admin',
  ).action(async (id, epoch) => {
    if (!/^\d{1,6}$/.test(epoch))
      throw new CliError('name an epoch by its number: kith conversations epochs ID', 2);
    const params = { id, number: Number(epoch) };
    const { number } = await api.call(conversationRoutes.restoreEpoch, { params });
    terminal.line(`epoch ${number} begins as epoch ${epoch} did`);
  });
}

async function turnOfMessage(api: CommandContext['api'], message: string | undefined): Promise<string> {
  if (message === undefined)
    throw new CliError('name a turn (kith turn list shows them), or a message with --message', 2);
  const { turns, waiting } = await api.call(turnRoutes.list, { query: { message, limit: 1 } });
  if (turns[0]) return turns[0].turnId;
  const [open] = waiting;
  if (!open) throw new CliError(`no message ${message} was ever accepted`);
  const so = `received ${secondOf(open.receivedAt)}, ${counted(open.attempts, 'attempt')} so far`;
  throw new CliError(`message ${message} waits for its turn: ${so}`);
}

function describeEpoch({ findings, restoredFrom }: EpochView): string {
  if (restoredFrom !== null) return `as epoch ${restoredFrom}`;
  return findings ? describeFindings(findings) : 'the beginning';
}
