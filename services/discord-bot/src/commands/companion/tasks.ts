import { channelAudience, isOpenTask, memoryContract, type TaskView } from '@kith/contracts';
import type { ChatInputCommandInteraction } from 'discord.js';
import type { Command, CommandContext } from '../command.js';
import { discordDate, fitLines, shortLine } from '../fitted-text.js';
import { textOption } from '../options.js';
import { findById, shortId } from '../short-id.js';

/** Tasks that are read: ten times as many as may be open at once. */
const MAX_READ = 200;
/** Characters of a task's words: ten such lines fit a message. */
const MAX_TEXT = 120;
const TASK_ID = { max_length: 36 };

/** Shows what the companion means to do with the person, and lets them end it. */
export const tasks: Command = {
  name: 'tasks',
  description: 'What the companion means to do with you, and what is done or dropped',
  options: [
    textOption('done', 'The id of one that is done', TASK_ID),
    textOption('drop', 'The id of one that you don’t want any more', TASK_ID),
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
    personId,
    which: { id: found.id },
    by: 'person' as const,
    change: { state },
  });
  return `${changed.state === 'done' ? 'Done' : 'Dropped'}: ${shortLine(changed.text, MAX_TEXT)}`;
}

/** Describes a person's tasks that are not over. */
function describeTasks(tasks: readonly TaskView[], isChannel: boolean): string {
  const open = tasks.filter(isOpenTask);
  if (open.length === 0)
    return isChannel
      ? 'No tasks here yet. What we agreed on elsewhere shows in a direct message.'
      : 'No tasks yet. When we agree on something to do, it is listed here.';
  return fitLines([
    `**What I mean to do with you${isChannel ? ' here' : ''}**`,
    ...open.map(taskLine),
    '`/companion tasks done:<id>` says one is done, `drop:<id>` that you don’t want it any more.',
  ]);
}

function taskLine({ id, text, dueAt, waitsFor }: TaskView): string {
  const more = [
    ...(dueAt === null ? [] : [`due ${discordDate(dueAt, 'R')}`]),
    ...(waitsFor === null ? [] : [`waits for ${shortLine(waitsFor, MAX_TEXT)}`]),
  ];
  return `- \`${shortId(id)}\` ${shortLine(text, MAX_TEXT)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}
