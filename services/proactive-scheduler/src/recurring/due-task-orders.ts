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
/** Tasks of a page: memory returns no more at once. */
const PAGE_SIZE = 500;

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
    // Those that come due are ordered before a bulk of late ones.
    const [soon, late, later] = await Promise.all([
      this.dueBetween(at(0), at(AHEAD_MS)),
      this.dueBetween(at(-REMIND_LATE_MS), at(0)),
      this.dueBetween(at(AHEAD_MS), at(DAY_MS)),
    ]);
    const tasks = [...soon, ...late, ...(await this.dueInNight(later, now))];
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

  /** Reads all tasks that come due in a time, the soonest first. */
  private async dueBetween(from: string, to: string): Promise<DueTask[]> {
    const read: DueTask[] = [];
    let last: DueTask | undefined;
    for (;;) {
      const request = { from: last?.dueAt ?? from, to, after: last?.id, limit: PAGE_SIZE };
      const { tasks } = await this.messenger.ask(memoryContract.dueTasks, request);
      read.push(...tasks);
      const end = tasks.at(-1);
      // A memory of an earlier version knows no `after`: a page of tasks that are due at one time would come for ever.
      if (tasks.length < PAGE_SIZE || end?.id === last?.id) return read;
      last = end;
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
