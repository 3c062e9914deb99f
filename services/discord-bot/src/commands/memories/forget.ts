import {
  AppError,
  counted,
  gatewayContract,
  isUnavailable,
  receiptOf,
  type RequestInput,
} from '@kith/contracts';
import { ButtonStyle } from 'discord-api-types/v10';
import { buttonRow } from '../../rest/button-row.js';
import { askFirst } from '../ask-first.js';
import type { Answer, Command, CommandContext } from '../command.js';
import { describeError } from '../describe-error.js';
import { flagOption, textOption } from '../options.js';
import { askToForget, describeForgotten, describeRestored } from './memory-words.js';

type What = RequestInput<typeof gatewayContract.forget>['what'];

const NOTED_UNDO =
  'A part of me is out of reach right now. It is noted, and I bring it back as soon as I can, if the ten minutes are not over by then.';

/** Shows what would be forgotten, forgets it once the person confirms, and can take that back for ten minutes. */
export const forget: Command = {
  name: 'forget',
  description: 'Forget some memories or all of them; you confirm before anything goes',
  options: [
    textOption('query', 'Forget what is found for this', { max_length: 500 }),
    flagOption('all', 'Forget everything about you'),
  ],
  run: async (context, { options }) => {
    const query = options.getString('query');
    const all = options.getBoolean('all') ?? false;
    const what = whatOf(all, query ?? '');
    if (!what) return { content: 'Say what to forget: give `query`, or `all: True` for everything.' };
    const { rows, memories, lines } = await order(context, what, true);
    if (all && rows + lines > 0) {
      const counts = `${counted(rows, 'memory', 'memories')}, ${counted(lines, 'line')} of your talk`;
      const text = `Forget **everything** about you (${counts})? You have ten minutes to take it back.`;
      return askFirst(context, text, 'Forget', (later) => carryOut(later, what));
    }
    if (all) return { content: 'There was nothing to forget.' };
    if (rows === 0) return { content: 'Nothing comes to mind for that, so nothing to forget.' };
    const shown: What = { kind: 'ids', ids: memories.map(({ id }) => id) };
    return askFirst(context, askToForget(memories, lines), 'Forget', (later) => carryOut(later, shown));
  },
  buttons: { undo: (context, { key }) => undo(context, key) },
};

function whatOf(all: boolean, query: string): What | null {
  if (all) return { kind: 'all' };
  return query.trim() === '' ? null : { kind: 'query', query };
}

async function carryOut(context: CommandContext, what: What): Promise<Answer> {
  try {
    const { rows, lines, receipt } = await order(context, what, false);
    const content = describeForgotten(rows, lines);
    return rows + lines === 0 || receipt === null ? { content } : withUndo(content, receipt);
  } catch (error) {
    const receipt = receiptOf(error);
    if (receipt === undefined) throw error;
    const content =
      'A part of me is out of reach right now. It is noted, and I forget it as soon as I can. For ten minutes you can take it back.';
    return withUndo(content, receipt);
  }
}

function withUndo(content: string, receipt: string): Answer {
  const button = { style: ButtonStyle.Secondary, label: 'Undo', custom_id: `undo:take:${receipt}` } as const;
  return { content, components: [buttonRow(button)] };
}

async function undo({ messenger, personId }: CommandContext, receipt: string): Promise<Answer> {
  try {
    const { rows, lines } = await messenger.ask(gatewayContract.undoForget, { personId, receipt });
    return { content: describeRestored(rows, lines) };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found')
      return { content: 'There is nothing to take back: it is back already, or gone for good.' };
    if (!isUnavailable(error)) throw error;
    const isNoted = receiptOf(error) !== undefined;
    return withUndo(isNoted ? NOTED_UNDO : describeError(error), receipt);
  }
}

function order({ messenger, companionId, personId }: CommandContext, what: What, preview: boolean) {
  return messenger.ask(gatewayContract.forget, { personId, companionId, what, preview });
}
