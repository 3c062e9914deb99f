import { taskRoutes } from '@kith/contracts';
import { CliError } from '../input/cli-error.js';
import type { CommandContext } from '../suite/command-context.js';
import { tellFull } from '../suite/read-list.js';
import { minuteOf } from '../terminal/value-words.js';

/** Lists the caller's tasks with companions. */
export async function listTasks(
  { api, terminal }: CommandContext,
  { companion, limit, json }: { companion?: string; limit: number; json?: boolean },
): Promise<void> {
  const view = await api.call(taskRoutes.list, { query: { companion, limit } });
  if (json) return terminal.json(view);
  if (view.tasks.length === 0) return terminal.note('no companion has a task with you');
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
}

/** Says that a task is over. */
export async function endTask(
  { api, terminal }: CommandContext,
  id: string,
  state: 'done' | 'dropped',
): Promise<void> {
  const { text } = await api.call(taskRoutes.change, { params: { id }, body: { state } });
  terminal.note(`${state}: ${text}`);
}

/** Removes a task for good. */
export async function removeTask({ api, terminal }: CommandContext, id: string): Promise<void> {
  const { removed } = await api.call(taskRoutes.remove, { params: { id } });
  if (removed === 0) throw new CliError('there is no such task of yours: kith tasks list shows them');
  terminal.note('removed');
}
