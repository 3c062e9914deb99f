import { isOpenTask, memoryContract } from '@kith/contracts';
import type { Messenger, MessagingLogger } from '@kith/messaging';
import type { AttemptRecords } from '../store/attempt-records.js';

/** Tasks of one person that memory lists at once, those that are not over first. */
const MAX_TASKS = 200;

/** Finds reminders that came too late: the task is over, put off, or gone. */
export class TaskReminders {
  constructor(
    private readonly attempts: Pick<AttemptRecords, 'reminderOf'>,
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly logger: MessagingLogger,
  ) {}

  /** Tells whether an attempt reminds of what needs no reminder any more. In doubt it does not: it may be late, not lost. */
  async isOver(personId: string, attemptId: string): Promise<boolean> {
    const reminder = await this.attempts.reminderOf(personId, attemptId);
    if (!reminder) return false;
    const { taskId, dueAt } = reminder;
    try {
      const { tasks } = await this.messenger.ask(memoryContract.tasks, { personId, limit: MAX_TASKS });
      const task = tasks.find(({ id }) => id === taskId);
      return !task || !isOpenTask(task) || task.dueAt === null || Date.parse(task.dueAt) > dueAt.getTime();
    } catch (error) {
      this.logger.warn(
        { personId, err: error },
        'task not looked at before its reminder: memory is out of reach',
      );
      return false;
    }
  }
}
