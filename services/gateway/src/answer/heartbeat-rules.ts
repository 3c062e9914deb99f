import {
  type Contradiction,
  DAY_MS,
  isOpenTask,
  REMIND_LATE_MS,
  memoryContract,
  outreachContract,
  type CoreBlock,
  type MindState,
  type TaskView,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Claim } from '../inbox/claim.js';
import { planQuestions } from './plan-questions.js';

/** Time before a task is due at which its reminder is planned. */
const REMIND_WITHIN_MS = DAY_MS;

/** State of a companion's mind about a person. */
export interface StateOfMind {
  tasks: readonly TaskView[];
  core: readonly CoreBlock[];
  /** Memories that do not go together. */
  unsettled: readonly Contradiction[];
  /** Count of memories. */
  memories: number;
}

/** Describes a state of mind without its words. Pure. */
export function mindState({ tasks, core, unsettled, memories }: StateOfMind): MindState {
  return {
    memories,
    unsettled: unsettled.length,
    tasks: tasks.map(({ number, state, updatedAt }) => ({ number, state, updatedAt })),
    core: core.map(({ label, text, updatedAt }) => ({ label, characters: text.length, updatedAt })),
  };
}

/** Chooses the tasks of which the person may be reminded: open ones that are due within a day, or were just due. Pure. */
export function tasksToRemind(tasks: readonly TaskView[], now: Date): (TaskView & { dueAt: string })[] {
  const until = now.getTime() + REMIND_WITHIN_MS;
  return tasks.filter((task): task is TaskView & { dueAt: string } => {
    const due = task.dueAt === null ? Number.NaN : Date.parse(task.dueAt);
    return isOpenTask(task) && due > now.getTime() - REMIND_LATE_MS && due <= until;
  });
}

/**
 * Makes tasks that come due into reasons to write, which takes no model. The person must have allowed them, and the
 * scheduler decides on them. Returns how many were kept.
 */
export async function remindOfTasks(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId }: Claim,
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

/**
 * Plans questions about contradictions, as tasks: they are in every prompt with the person until they are
 * asked and answered. Returns how many are new, and how many are over.
 */
export async function askWhatIsUnsettled(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId, audience }: Claim,
  { tasks, unsettled }: Pick<StateOfMind, 'tasks' | 'unsettled'>,
): Promise<{ questions: number; answered: number }> {
  const { ask, answeredTasks } = planQuestions(unsettled, tasks);
  const by = 'companion';
  // In private, or if there are tasks enough, nothing is noted: the next heartbeat tries again.
  const noted = await Promise.allSettled([
    ...ask.map(({ text, key, sources }) =>
      messenger.ask(memoryContract.addTask, {
        personId,
        companionId,
        audience,
        by,
        key,
        sources,
        task: { text, priority: 3 },
      }),
    ),
    ...answeredTasks.map(({ id }) =>
      messenger.ask(memoryContract.changeTask, { personId, by, which: { id }, change: { state: 'done' } }),
    ),
  ]);
  const done = (results: typeof noted) => results.filter(({ status }) => status === 'fulfilled').length;
  return { questions: done(noted.slice(0, ask.length)), answered: done(noted.slice(ask.length)) };
}

/** Reads the state of mind as it is now. */
export async function readMind(
  messenger: Pick<Messenger, 'ask'>,
  { personId, companionId, audience }: Claim,
): Promise<StateOfMind> {
  const [{ tasks }, { blocks }, { contradictions }, { memories }] = await Promise.all([
    messenger.ask(memoryContract.tasks, { personId, companionId, limit: 200 }),
    messenger.ask(memoryContract.core, { personId, companionId, audience }),
    messenger.ask(memoryContract.unsettled, { personId, companionId, audience }),
    messenger.ask(memoryContract.stats, { personId }),
  ]);
  return {
    tasks: tasks.filter((task) => task.audience === audience),
    core: blocks,
    unsettled: contradictions,
    memories,
  };
}
