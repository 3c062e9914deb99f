import {
  memoryContract,
  outreachContract,
  type CoreBlock,
  type MindState,
  type TaskView,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';

/** Time before a task is due at which its reminder is planned. */
const REMIND_WITHIN_MS = 24 * 60 * 60_000;

/** Describes a state of mind without its words. Pure. */
export function mindState(tasks: readonly TaskView[], core: readonly CoreBlock[]): MindState {
  return {
    tasks: tasks.map(({ number, state, updatedAt }) => ({ number, state, updatedAt })),
    core: core.map(({ label, text, updatedAt }) => ({ label, characters: text.length, updatedAt })),
  };
}

/** Chooses the tasks of which the person may be reminded: open ones that are due within a day. Pure. */
export function tasksToRemind(tasks: readonly TaskView[], now: Date): (TaskView & { dueAt: string })[] {
  const until = now.getTime() + REMIND_WITHIN_MS;
  return tasks.filter((task): task is TaskView & { dueAt: string } => {
    const due = task.dueAt === null ? Number.NaN : Date.parse(task.dueAt);
    return due > now.getTime() && due <= until;
  });
}

/**
 * Does what a heartbeat does without a model: a task that comes due becomes a reason to write, which the person must
 * have allowed, and on which the scheduler decides. Returns how many were kept.
 */
export async function remindOfTasks(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId }: Claim,
  tasks: readonly TaskView[],
  now: Date,
): Promise<number> {
  let kept = 0;
  for (const { text, dueAt } of tasksToRemind(tasks, now)) {
    const reason = { personId, companionId, about: text, at: dueAt, turnIds: [] };
    if ((await messenger.ask(outreachContract.intend, reason)).kept) kept += 1;
  }
  return kept;
}

/** Reads the state of mind as it is now. */
export async function readMind(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId, audience }: Claim,
): Promise<{ tasks: TaskView[]; core: CoreBlock[] }> {
  const [{ tasks }, { blocks }] = await Promise.all([
    messenger.ask(memoryContract.tasks, { personId, companionId, limit: 50 }),
    messenger.ask(memoryContract.core, { personId, companionId, audience }),
  ]);
  return { tasks: tasks.filter((task) => task.audience === audience), core: blocks };
}
