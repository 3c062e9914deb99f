import { memoryContract, taskRoutes } from '@kith/contracts';
import { Messenger } from '@kith/messaging';
import { Controller } from '@nestjs/common';
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
  onChange({ caller: { personId }, params, body }: RouteCall<typeof taskRoutes.change>) {
    const which = { id: params.id };
    return this.messenger.ask(memoryContract.changeTask, { personId, which, change: body, by: 'person' });
  }

  @Serves(taskRoutes.remove)
  onRemove({ caller: { personId }, params }: RouteCall<typeof taskRoutes.remove>) {
    return this.messenger.ask(memoryContract.removeTask, { personId, id: params.id });
  }
}
