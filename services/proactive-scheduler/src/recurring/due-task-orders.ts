import { gatewayContract, HOUR_MS, memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** Time before a task is due at which it is thought of: enough for a reminder to be decided on. */
const AHEAD_MS = HOUR_MS;
/** Heartbeats that tasks may order at once: a bulk of imported ones must not cost a night of model calls. */
const MAX_AT_ONCE = 20;
/** Tasks that are looked at, as many as memory tells at once: those behind the first twenty are next. */
const MAX_TASKS = 500;

/**
 * Orders quiet turns for tasks that come due, one for all that a person has with a companion. One that is noted later the
 * same day gets another: the gateway leaves out those that were thought of already.
 */
export class DueTaskOrders {
  /** Tasks that were ordered for on a day, as they were noted. A restart forgets them, and the same order again does nothing. */
  private ordered = { day: '', tasks: new Set<string>() };

  constructor(private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>) {}

  /** Orders the next few turns. Where many tasks come due at one hour, later calls order the rest. */
  async order(now: Date): Promise<void> {
    const to = new Date(now.getTime() + AHEAD_MS).toISOString();
    const asked = { from: now.toISOString(), to, limit: MAX_TASKS };
    const { tasks } = await this.messenger.ask(memoryContract.dueTasks, asked);
    const day = now.toISOString().slice(0, 10);
    if (this.ordered.day !== day) this.ordered = { day, tasks: new Set() };
    const done = this.ordered.tasks;
    // A turn thinks of all tasks of the two: it is needed for the one that was noted last.
    const last = new Map(
      tasks
        .toSorted((a, b) => (a.notedAt < b.notedAt ? -1 : 1))
        .map((task) => [`${task.personId} ${task.companionId}`, task]),
    );
    const next = [...last.values()].filter((task) => !done.has(asNoted(task))).slice(0, MAX_AT_ONCE);
    for (const task of next) {
      const { personId, companionId, dueAt, notedAt } = task;
      const order = { personId, companionId, day, why: 'task' as const, task: { dueAt, notedAt } };
      await this.messenger.enqueue(gatewayContract.heartbeat, order);
      done.add(asNoted(task));
    }
  }
}

function asNoted({ id, notedAt }: { id: string; notedAt: string }): string {
  return `${id} ${notedAt}`;
}
