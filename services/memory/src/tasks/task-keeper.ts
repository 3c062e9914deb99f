import {
  AppError,
  OPEN_TASK_STATES,
  type MemoryRequest,
  type TaskState,
  type TaskView,
  type MemoryAnswer,
  timesAsText,
} from '@kith/contracts';
import { uuid7, type Database } from '@kith/database';
import { readAudienceCondition } from '../rows/audience-conditions.js';
import { noteEffect } from '../rows/effects.js';
import { refuseLateNote } from '../rows/late-notes.js';
import { lockPerson } from '../rows/memory-row.js';
import { changeTask, planTask } from './plan-task.js';
import { nextTaskNumber, viewTask } from './task-rows.js';

/** Keeps what a companion means to do with a person. */
export class TaskKeeper {
  constructor(private readonly database: Database) {}

  /** Lists a person's tasks, those that are not over first, then the newest; none of servers that the app has left. */
  async list({ personId, companionId, limit }: MemoryRequest<'tasks'>): Promise<{ tasks: TaskView[] }> {
    const rows = await this.database.asPerson(personId, async (tx) => {
      const heard = await readAudienceCondition(tx, 'direct');
      const read = (state: { in: TaskState[] } | { notIn: TaskState[] }, take: number) =>
        tx.task.findMany({
          where: { personId, ...(companionId !== undefined && { companionId }), ...heard, state },
          orderBy: [{ updatedAt: 'desc' }, { id: 'desc' }],
          take,
        });
      const unfinished = await read({ in: [...OPEN_TASK_STATES] }, limit);
      return [...unfinished, ...(await read({ notIn: [...OPEN_TASK_STATES] }, limit - unfinished.length))];
    });
    return { tasks: rows.map(viewTask) };
  }

  /**
   * Notes a task, or returns the one that the same call or the same words noted before.
   * @throws AppError `invalid_request`, see `planTask`, and see `refuseLateNote`
   */
  add(request: MemoryRequest<'addTask'>): Promise<TaskView> {
    const { personId, companionId, audience, by, sources, key } = request;
    return this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      await refuseLateNote(tx, request);
      const where = { personId, companionId, audience };
      const open = await tx.task.findMany({ where: { ...where, state: { in: [...OPEN_TASK_STATES] } } });
      const same = open.find(({ text }) => text === request.task.text);
      const isNew = await noteEffect(tx, personId, key);
      if (same) return viewTask(same);
      if (!isNew) throw new AppError('conflict', 'this was noted before and deleted since');
      const columns = planTask(request.task, open.length);
      const number = await nextTaskNumber(tx, where);
      const task = await tx.task.create({
        data: { id: uuid7(), ...where, ...columns, number, sources: { set: sources }, notedBy: by },
      });
      return viewTask(task);
    });
  }

  /** Changes a task. @throws AppError `not_found`, `invalid_request`, see `changeTask`, and see `refuseLateNote` */
  change(request: MemoryRequest<'changeTask'>): Promise<TaskView> {
    const { personId, which, change, sources, key } = request;
    return this.database.asPerson(personId, async (tx) => {
      await lockPerson(tx, personId);
      await refuseLateNote(tx, request);
      const held = await tx.task.findFirst({ where: { personId, ...which } });
      if (!held) throw noSuchTask();
      if (!(await noteEffect(tx, personId, key))) return viewTask(held);
      const { companionId, audience } = held;
      const open = await tx.task.count({
        where: { personId, companionId, audience, state: { in: [...OPEN_TASK_STATES] } },
      });
      const columns = changeTask({ ...held, state: held.state as TaskState }, change, open);
      const all = [...new Set([...held.sources, ...sources])].slice(-MAX_SOURCES);
      const data = { ...columns, sources: { set: all }, updatedAt: new Date() };
      return viewTask(await tx.task.update({ where: { id: held.id }, data }));
    });
  }

  /** Removes a task for good: the record keeps it out of a backup that is put back. @throws AppError `not_found` */
  async remove({ personId, id }: MemoryRequest<'removeTask'>): Promise<{ removed: number }> {
    return this.database.asPerson(personId, async (tx) => {
      const { count } = await tx.task.deleteMany({ where: { personId, id } });
      if (count === 0) throw noSuchTask();
      await tx.forgetRecord.create({ data: { personId, everything: false, removed: { set: [id] } } });
      return { removed: count };
    });
  }

  /** Lists tasks of everybody that came due in a time, for sending reminders. */
  async due({ from, to, after, limit }: MemoryRequest<'dueTasks'>): Promise<MemoryAnswer<'dueTasks'>> {
    const tasks = await this.database.reader('system').$queryRaw<
      { id: string; personId: string; companionId: string; dueAt: Date; notedAt: Date }[]
    >`
      SELECT id, person_id AS "personId", companion_id AS "companionId", due_at AS "dueAt", updated_at AS "notedAt"
      FROM tasks
      WHERE audience = 'direct' AND state IN ('open', 'waiting') AND due_at >= ${new Date(from)} AND due_at < ${new Date(to)}
        AND (${after ?? null}::uuid IS NULL OR (due_at, id) > (${new Date(from)}::timestamptz, ${after ?? null}::uuid))
      ORDER BY due_at, id LIMIT ${limit}`;
    return { tasks: tasks.map(timesAsText) };
  }
}

function noSuchTask(): AppError {
  return new AppError('not_found', 'there is no such task of yours');
}

/** Messages that a task names, the newest: as many as the contract takes. */
const MAX_SOURCES = 200;
