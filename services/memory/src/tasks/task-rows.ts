import { TaskView, timesAsText } from '@kith/contracts';
import { sql, type Reader, type SealedRows, type SealOrder, type TaskModel, type Tx } from '@kith/database';
import type { MemoryScope, Owner } from '../rows/memory-scope.js';

/** Reads the tasks of an audience that are not over, as a prompt carries them: the most pressing first. */
export async function readOpenTasks(
  reader: Reader,
  { personId, companionId, audience }: MemoryScope,
): Promise<TaskView[]> {
  const rows = await reader.$queryRaw<TaskModel[]>`
    SELECT id::text, companion_id AS "companionId", audience, number, text, state, priority, due_at AS "dueAt",
      waits_for AS "waitsFor", noted_by AS "notedBy", sources, created_at AS "createdAt", updated_at AS "updatedAt"
    FROM tasks
    WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
      AND state IN ('open', 'waiting')
    ORDER BY priority, due_at NULLS LAST, number`;
  return rows.map(viewTask);
}

/** Words a task for its person and for a prompt. */
export function viewTask(row: Omit<TaskModel, 'personId'>): TaskView {
  return TaskView.parse(timesAsText(row));
}

/** Finds the number of an audience's next task: no number of a forgotten one, which an undo would not put back then. */
export async function nextTaskNumber(tx: Tx, { personId, companionId, audience }: MemoryScope) {
  const [row] = await tx.$queryRaw<[{ next: number }]>`
    SELECT coalesce(max(number), 0) + 1 AS next FROM (
      SELECT number FROM tasks
      WHERE person_id = ${personId}::uuid AND companion_id = ${companionId} AND audience = ${audience}
      UNION ALL SELECT (row ->> 'number')::int FROM memory_sealed_rows
      WHERE person_id = ${personId}::uuid AND relation = 'tasks' AND row ->> 'companion_id' = ${companionId}
        AND row ->> 'audience' = ${audience}
    ) AS taken`;
  return row.next;
}

/** Choice of tasks that are forgotten: all, those of a place, those noted in a time, or those noted for messages. */
export interface TaskChoice extends Owner {
  audience?: string;
  period?: { from: Date; to: Date };
  sources?: readonly string[];
}

/** Removes tasks that an order to forget names, and seals them where it can be undone. */
export async function forgetTasks(
  tx: Tx,
  sealed: Pick<SealedRows, 'remove'>,
  order: SealOrder,
  { personId, companionId, audience, period, sources = [] }: TaskChoice,
): Promise<void> {
  const own = sql`gone.person_id = ${personId}::uuid
    AND (${companionId ?? null}::text IS NULL OR gone.companion_id = ${companionId ?? null})`;
  const named = sql`(gone.sources && ${[...sources]}::text[]
    OR gone.audience = ${audience ?? null}::text
    OR gone.created_at >= ${period?.from ?? null}::timestamptz AND gone.created_at < ${period?.to ?? null}::timestamptz)`;
  await sealed.remove(tx, order, 'tasks', sql`${own} AND ${named}`);
}
