import { memoryContract, type MemoryChange } from '@kith/contracts';
import type { Answer, Command, CommandContext } from '../command.js';
import { shortLine } from '../fitted-text.js';
import { flagOption, textOption } from '../options.js';
import { findById } from '../short-id.js';
import { describeChanged } from './memory-words.js';
import { newestMemories } from './own-memories.js';

const MEMORY_ID = textOption('id', 'As list and search show it', { required: true, max_length: 36 });

/** Corrects one of the person's memories. */
export const correct: Command = {
  name: 'correct',
  description: 'Put one of them right',
  options: [MEMORY_ID, textOption('text', 'What it should say', { required: true, max_length: 2_000 })],
  run: (context, { options }) =>
    change(context, options.getString('id', true), { text: options.getString('text', true) }),
};

/** Pins one of the person's memories, or unpins it. */
export const pin: Command = {
  name: 'pin',
  description: 'Keep one in mind: it comes up sooner and never goes to the archive',
  options: [MEMORY_ID, flagOption('off', 'Unpin it')],
  run: (context, { options }) =>
    change(context, options.getString('id', true), { pinned: options.getBoolean('off') !== true }),
};

/** Brings a memory back that went to quarantine or to the archive, or was withdrawn. */
export const release: Command = {
  name: 'release',
  description: 'Keep one that went to quarantine or to the archive, or was withdrawn',
  options: [MEMORY_ID],
  run: (context, { options }) => change(context, options.getString('id', true), { shelf: 'open' }),
};

async function change(context: CommandContext, given: string, to: MemoryChange): Promise<Answer> {
  const { messenger, personId } = context;
  const { memories } = await newestMemories(context, Number.POSITIVE_INFINITY);
  const found = findById(memories, given);
  if (!found) {
    const content = `No memory of yours has the id \`${shortLine(given, 40)}\`: \`/memories list\` and \`search\` show them.`;
    return { content };
  }
  const changed = await messenger.ask(memoryContract.change, { personId, id: found.id, change: to });
  return { content: describeChanged(changed) };
}
