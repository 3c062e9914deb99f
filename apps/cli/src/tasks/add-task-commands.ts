import type { Command } from '@commander-js/extra-typings';
import type { CommandContext } from '../suite/command-context.js';
import { COMPANION_FLAG, JSON_FLAG, positive } from '../input/options.js';
import { endTask, listTasks, removeTask } from './tasks.js';

/** Adds the commands for the caller's tasks with companions. */
export function addTaskCommands(program: Command, context: () => CommandContext): void {
  const tasks = program.command('tasks').description('show and end what companions mean to do with you');
  tasks
    .command('list')
    .description('list them, those that are not over first')
    .option(...COMPANION_FLAG)
    .option('--limit <n>', 'how many', positive, 50)
    .option(...JSON_FLAG)
    .action((options) => listTasks(context(), options));
  tasks
    .command('done <id>')
    .description('say that one is done')
    .action((id: string) => endTask(context(), id, 'done'));
  tasks
    .command('drop <id>')
    .description('say that one is not wanted any more')
    .action((id: string) => endTask(context(), id, 'dropped'));
  tasks
    .command('delete <id>')
    .description('remove one for good')
    .action((id: string) => removeTask(context(), id));
}
