import { isOpenTask, memoryContract, type outreachContract, type RequestOutput } from '@kith/contracts';
import type { Messenger, MessagingLogger } from '@kith/messaging';
import { NOTHING_TO_SAY, STILL_TO_SAY, type AttemptRecords, type ToSay } from '../store/attempt-records.js';

/** Tasks of one person that memory lists at once, those that are not over first. */
const MAX_TASKS = 200;

/** Finds reasons of a companion's own that came too late: the task is over, put off, or gone, or the words are forgotten. */
export class TaskReminders {
  constructor(
    private readonly attempts: Pick<AttemptRecords, 'reminderOf'>,
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly logger: MessagingLogger,
  ) {}

  /**
   * Tells why a reason is not to be kept any more; null where it is. Its task may have been forgotten since it was read, and
   * so may the messages that another thought comes from.
   * @throws AppError of memory
   */
  async whyNotKept({
    personId,
    companionId,
    about,
    messageIds: sources,
    begunAt,
    taskId,
  }: RequestOutput<typeof outreachContract.intend>): Promise<string | null> {
    if (taskId === undefined) {
      const note = { personId, companionId, sources, begunAt };
      return (await this.messenger.ask(memoryContract.whyNotNoted, note)).why;
    }
    const { tasks } = await this.messenger.ask(memoryContract.tasks, { personId, limit: MAX_TASKS });
    return tasks.some(({ id, text }) => id === taskId && text === about) ? null : 'that is no task any more';
  }

  /**
   * Tells whether an attempt's reminder is still to be said. In doubt it is: it may be late, but not lost.
   * @param writtenAt end of the turn that says it, in which the companion may have ended the task itself
   */
  async leftOf(personId: string, attemptId: string, writtenAt: string | null): Promise<ToSay> {
    const reminder = await this.attempts.reminderOf(personId, attemptId);
    if (!reminder) return STILL_TO_SAY;
    const { taskId, dueAt } = reminder;
    try {
      const { tasks } = await this.messenger.ask(memoryContract.tasks, { personId, limit: MAX_TASKS });
      const task = tasks.find(({ id }) => id === taskId);
      if (task && writtenAt !== null && new Date(task.updatedAt) <= new Date(writtenAt)) return STILL_TO_SAY;
      if (!task || !isOpenTask(task) || task.dueAt === null) return NOTHING_TO_SAY;
      const due = new Date(task.dueAt);
      return due > dueAt ? { isOver: true, putOffTo: due } : STILL_TO_SAY;
    } catch (error) {
      this.logger.warn(
        { personId, err: error },
        'task not looked at before its reminder: memory is out of reach',
      );
      return STILL_TO_SAY;
    }
  }
}
