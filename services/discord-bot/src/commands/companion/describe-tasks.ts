import { isOpenTask, type TaskView } from '@kith/contracts';
import { discordDate, fitLines, shortLine } from '../fitted-text.js';
import { shortId } from '../short-id.js';

/** Characters of a task's words: ten such lines fit a message. */
const MAX_TEXT = 120;

type ShownTask = Pick<TaskView, 'id' | 'text' | 'state' | 'dueAt' | 'waitsFor'>;

/** Describes a person's tasks that are not over. */
export function describeTasks(tasks: readonly ShownTask[], isChannel: boolean): string {
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

/** Words a task after a change. */
export function describeEndedTask({ text, state }: ShownTask): string {
  return `${state === 'done' ? 'Done' : 'Dropped'}: ${shortLine(text, MAX_TEXT)}`;
}

function taskLine({ id, text, dueAt, waitsFor }: ShownTask): string {
  const more = [
    ...(dueAt === null ? [] : [`due ${discordDate(dueAt, 'R')}`]),
    ...(waitsFor === null ? [] : [`waits for ${shortLine(waitsFor, MAX_TEXT)}`]),
  ];
  return `- \`${shortId(id)}\` ${shortLine(text, MAX_TEXT)}${more.length === 0 ? '' : ` (${more.join(', ')})`}`;
}
