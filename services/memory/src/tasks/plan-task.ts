import { AppError, isOpenTask, type NewTask, type TaskChange, type TaskState } from '@kith/contracts';
import type { TaskModel } from '@kith/database';
import type { z } from 'zod';
import { decideWrite } from '../words/decide-write.js';

/** Tasks that are not over, of one person with one companion: each is in every prompt. */
export const MAX_OPEN_TASKS = 20;

type TaskColumns = Pick<TaskModel, 'text' | 'priority' | 'dueAt' | 'waitsFor'> & { state: TaskState };

/**
 * Decides how a new task reads. Pure.
 * @throws AppError `invalid_request` where it reads like an order to the companion, or there are enough already
 */
export function planTask(task: z.output<typeof NewTask>, open: number): TaskColumns {
  refuseTooMany(open);
  return checked({
    text: task.text,
    priority: task.priority,
    waitsFor: task.waitsFor,
    state: task.waitsFor === null ? 'open' : 'waiting',
    dueAt: task.dueAt === null ? null : new Date(task.dueAt),
  });
}

/**
 * Decides how a task reads after a change: one that waits for something is `waiting`, and no longer once it is over.
 * Clearing the wait does not reopen it. Pure.
 * @param open how many tasks are not over
 * @throws AppError `invalid_request` where it reads like an order to the companion, or one that was over would be one too many
 */
export function changeTask(before: TaskColumns, change: TaskChange, open: number): TaskColumns {
  const waitsFor = change.waitsFor === undefined ? before.waitsFor : change.waitsFor;
  const isOver = change.state === 'done' || change.state === 'dropped';
  const freed = isOpenTask(before) ? 'open' : before.state;
  const state =
    change.state ?? (change.waitsFor === undefined ? before.state : waitsFor === null ? freed : 'waiting');
  if (!isOpenTask(before) && isOpenTask({ state })) refuseTooMany(open);
  return checked({
    text: change.text ?? before.text,
    priority: change.priority ?? before.priority,
    dueAt: change.dueAt === undefined ? before.dueAt : change.dueAt === null ? null : new Date(change.dueAt),
    state,
    waitsFor: isOver || state === 'open' ? null : waitsFor,
  });
}

function refuseTooMany(open: number): void {
  if (open < MAX_OPEN_TASKS) return;
  throw new AppError('invalid_request', `${open} tasks are open already: finish or drop one first`);
}

function checked(task: TaskColumns): TaskColumns {
  const decision = decideWrite(`${task.text}\n${task.waitsFor ?? ''}`, 0);
  if (decision.kind === 'quarantine') {
    throw new AppError('invalid_request', `this is not kept: it holds ${decision.reason}`, { field: 'text' });
  }
  return task;
}
