import { channelAudience, memoryContract, type TaskView } from '@kith/contracts';
import { ApplicationCommandOptionType } from 'discord-api-types/v10';
import type { ChatInputCommandInteraction } from 'discord.js';
import type { Command, CommandContext } from '../command.js';
import { shortLine } from '../fitted-text.js';
import { findById } from '../short-id.js';
import { describeEndedTask, describeTasks } from './describe-tasks.js';

/** Tasks that are read: ten times as many as may be open at once. */
const MAX_READ = 200;
const TASK_ID = { type: ApplicationCommandOptionType.String, max_length: 36 } as const;

/** Shows what the companion means to do with the person, and lets them end it. */
export const tasks: Command = {
  name: 'tasks',
  description: 'What the companion means to do with you, and what is done or dropped',
  options: [
    { ...TASK_ID, name: 'done', description: 'The id of one that is done' },
    { ...TASK_ID, name: 'drop', description: 'The id of one that you don’t want any more' },
  ],
  run: async (context, interaction) => {
    const { options, guildId } = interaction;
    const shown = await tasksAt(context, interaction);
    const ended: string[] = [];
    for (const [option, state] of [
      ['done', 'done'],
      ['drop', 'dropped'],
    ] as const) {
      const given = options.getString(option);
      if (given !== null) ended.push(await end(context, shown, given, state));
    }
    return { content: ended.length > 0 ? ended.join('\n') : describeTasks(shown, guildId !== null) };
  },
};

/** Reads the person's tasks that may show where they ask: in a channel those of that channel alone. */
async function tasksAt(
  { messenger, personId, companionId }: CommandContext,
  { guildId, channelId }: ChatInputCommandInteraction,
): Promise<TaskView[]> {
  const { tasks: all } = await messenger.ask(memoryContract.tasks, {
    personId,
    companionId,
    limit: MAX_READ,
  });
  return guildId === null
    ? all
    : all.filter(({ audience }) => audience === channelAudience('discord', channelId));
}

async function end(
  { messenger, personId }: CommandContext,
  shown: readonly TaskView[],
  given: string,
  state: 'done' | 'dropped',
): Promise<string> {
  const found = findById(shown, given);
  if (!found)
    return `No task of yours here has the id \`${shortLine(given, 40)}\`: \`/companion tasks\` shows them.`;
  const changed = await messenger.ask(memoryContract.changeTask, {
    ...{ personId, which: { id: found.id }, by: 'person' as const },
    change: { state },
  });
  return describeEndedTask(changed);
}
