import {
  DAY_MS,
  firstOf,
  gatewayContract,
  HOUR_MS,
  lastOf,
  memoryContract,
  REMIND_LATE_MS,
  type ResponseOutput,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { quietUntil } from '../decision/quiet-hours.js';
import type { OutreachRecords } from '../store/outreach-records.js';

/**
 * Time before a task is due, or before the quiet hours in which it is, at which it is thought of: enough for a reminder
 * to be decided on.
 */
const AHEAD_MS = HOUR_MS;
/** Heartbeats that tasks may order at once: a bulk of imported ones must not cost a night of model calls. */
const MAX_AT_ONCE = 20;
/** Tasks that are read, as many as memory returns at once: those after the first twenty are next. */
const MAX_TASKS = 500;

/**
 * Orders heartbeats for tasks that come due or just came due, one for each person and companion. A task noted later
 * the same day gets another: the gateway leaves out tasks that were thought of already.
 */
export class DueTaskOrders {
  /** Orders of a day. A restart forgets them, and the same order again does nothing. */
  private ordered = { day: '', orders: new Set<string>() };

  constructor(
    private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>,
    private readonly records: Pick<OutreachRecords, 'quietHoursOf'>,
  ) {}

  /** Orders the next few turns. Where many tasks come due at one hour, later calls order the rest. */
  async order(now: Date): Promise<void> {
    const at = (ms: number) => new Date(now.getTime() + ms).toISOString();
    const ask = (from: string, to: string) =>
      this.messenger.ask(memoryContract.dueTasks, { from, to, limit: MAX_TASKS });
    // Asked for by themselves, so that a bulk of late ones leaves room for those that come due.
    const [soon, late, later] = await Promise.all([
      ask(at(0), at(AHEAD_MS)),
      ask(at(-REMIND_LATE_MS), at(0)),
      ask(at(AHEAD_MS), at(DAY_MS)),
    ]);
    const tasks = [...soon.tasks, ...late.tasks, ...(await this.dueInNight(later.tasks, now))];
    const day = now.toISOString().slice(0, 10);
    if (this.ordered.day !== day) this.ordered = { day, orders: new Set() };
    const done = this.ordered.orders;
    const due = Map.groupBy(tasks, ({ personId, companionId }) => `${personId} ${companionId}`);
    const next = [...due.values()].map(asOne).filter((task) => !done.has(nameOf(task)));
    for (const task of next.slice(0, MAX_AT_ONCE)) {
      const { personId, companionId, dueAt, notedAt } = task;
      const order = { personId, companionId, day, why: 'task' as const, task: { dueAt, notedAt } };
      await this.messenger.enqueue(gatewayContract.heartbeat, order);
      done.add(nameOf(task));
    }
  }

  /** Chooses the tasks that fall due in quiet hours that are about to begin: after them the reminder would be late. */
  private async dueInNight(tasks: readonly DueTask[], now: Date): Promise<DueTask[]> {
    const quietHoursOf = await this.records.quietHoursOf(tasks.map(({ personId }) => personId));
    return tasks.filter(({ personId, dueAt }) => {
      const hours = quietHoursOf(personId);
      if (!hours || quietUntil(now, hours)) return false;
      const nightEnds = quietUntil(new Date(now.getTime() + AHEAD_MS), hours);
      return nightEnds !== null && new Date(dueAt) < nightEnds;
    });
  }
}

type DueTask = ResponseOutput<typeof memoryContract.dueTasks>['tasks'][number];

/** Merges tasks of one pair into one with the latest times: a turn thinks of all, up to the last noted or due. */
function asOne(tasks: readonly DueTask[]): DueTask {
  const last = (times: readonly string[]) => lastOf(times.toSorted());
  return {
    ...firstOf(tasks),
    notedAt: last(tasks.map(({ notedAt }) => notedAt)),
    dueAt: last(tasks.map(({ dueAt }) => dueAt)),
  };
}

function nameOf({ personId, companionId, notedAt, dueAt }: DueTask): string {
  return [personId, companionId, notedAt, dueAt].join(' ');
}
