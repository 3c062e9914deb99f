import { memoryContract, taskRoutes } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
import { remindOfTasks } from '../tools/remind-of-tasks.js';
import { Serves, type RouteCall } from './serves.js';

/** Serves a person's own tasks. */
@Controller()
export class TasksController {
  constructor(private readonly messenger: Messenger) {}

  @Serves(taskRoutes.list)
  onList({ caller: { personId }, query }: RouteCall<typeof taskRoutes.list>) {
    const { companion: companionId, limit } = query;
    return this.messenger.ask(memoryContract.tasks, { personId, companionId, limit });
  }

  @Serves(taskRoutes.change)
  async onChange({ caller: { personId }, params, body }: RouteCall<typeof taskRoutes.change>) {
    const whose = { personId, which: { id: params.id }, by: 'person' as const };
    const task = await this.messenger.ask(memoryContract.changeTask, { ...whose, change: body });
    // It may be due today now, after the day's heartbeat. The change holds also where the scheduler is out of reach.
    const pair = { personId, companionId: task.companionId };
    if (body.dueAt) await remindOfTasks(this.messenger, pair, [task], new Date()).catch(() => 0);
    return task;
  }

  @Serves(taskRoutes.remove)
  onRemove({ caller: { personId }, params }: RouteCall<typeof taskRoutes.remove>) {
    return this.messenger.ask(memoryContract.removeTask, { personId, id: params.id });
  }
}
