import type { Command } from '@commander-js/extra-typings';
import { taskRoutes } from '@kith/contracts';
import { addCommand, addJsonCommand } from '../input/add-command.js';
import { COMPANION_FLAG, positive } from '../input/options.js';
import type { CommandContext } from '../suite/command-context.js';
import { tellFull } from '../suite/read-list.js';
import { minuteOf } from '../terminal/value-words.js';

/** Adds the commands for the caller's tasks with companions. */
export function addTaskCommands(program: Command, { api, terminal }: CommandContext): void {
  const tasks = addCommand(program, 'tasks', 'show and end what companions mean to do with you');
  addJsonCommand(tasks, 'list', 'list them, those that are not over first')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many', positive, 50)
    .action(async ({ companion, limit, json }) => {
      const view = await api.call(taskRoutes.list, { query: { companion, limit } });
      if (json) return terminal.json(view);
      const none =
        companion === undefined ? 'no companion has a task with you' : `${companion} has no task with you`;
      if (view.tasks.length === 0) return terminal.note(none);
      terminal.table(view.tasks, [
        { header: 'id', value: ({ id }) => id },
        { header: 'who', value: ({ companionId }) => companionId },
        { header: 'state', value: ({ state }) => state },
        { header: 'priority', value: ({ priority }) => String(priority) },
        { header: 'due (UTC)', value: ({ dueAt }) => (dueAt === null ? '' : minuteOf(dueAt)) },
        { header: 'task', value: ({ text }) => text, flexible: true },
        { header: 'waits for', value: ({ waitsFor }) => waitsFor ?? '', flexible: true },
      ]);
      tellFull(terminal, view.tasks.length, limit);
    });
  for (const [name, state, description] of [
    ['done', 'done', 'say that one is done'],
    ['drop', 'dropped', 'say that one is not wanted any more'],
  ] as const)
    addCommand(tasks, `${name} <id>`, description).action(async (id) => {
      const { text } = await api.call(taskRoutes.change, { params: { id }, body: { state } });
      terminal.note(`${state}: ${text}`);
    });
  addCommand(tasks, 'delete <id>', 'remove one for good').action(async (id) => {
    await api.call(taskRoutes.remove, { params: { id } });
    terminal.note('removed');
  });
}
