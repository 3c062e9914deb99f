import { DAY_MS, isOpenTask, outreachContract, type TaskView } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';

/** Time before a task is due at which its reminder is planned. */
const REMIND_WITHIN_MS = DAY_MS;

/** Chooses the tasks of which the person may be reminded: open ones between the two alone that are due within a day. Pure. */
export function tasksToRemind(tasks: readonly TaskView[], now: Date): (TaskView & { dueAt: string })[] {
  const until = now.getTime() + REMIND_WITHIN_MS;
  return tasks.filter((task): task is TaskView & { dueAt: string } => {
    const due = task.dueAt === null ? Number.NaN : Date.parse(task.dueAt);
    return isOpenTask(task) && task.audience === 'direct' && due > now.getTime() && due <= until;
  });
}

/**
 * Makes tasks that come due into reasons to write, which takes no model. The person must have allowed them, and the
 * scheduler decides on them. One that is kept already is not kept again. Returns how many were kept.
 */
export async function remindOfTasks(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId }: Pick<Claim, 'personId' | 'companionId'>,
  tasks: readonly TaskView[],
  now: Date,
): Promise<number> {
  let kept = 0;
  for (const { id, text, dueAt, sources } of tasksToRemind(tasks, now)) {
    const reason = { personId, companionId, about: text, at: dueAt, messageIds: sources, taskId: id };
    if ((await messenger.ask(outreachContract.intend, reason)).kept) kept += 1;
  }
  return kept;
}
