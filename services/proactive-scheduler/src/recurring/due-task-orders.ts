import {
  firstOf,
  gatewayContract,
  HOUR_MS,
  lastOf,
  memoryContract,
  REMIND_LATE_MS,
  type ResponseOutput,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { quietUntil, type QuietHours } from '../decision/quiet-hours.js';
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
    private readonly records: Pick<OutreachRecords, 'quietHours' | 'quietHoursOf'>,
  ) {}

  /** Orders the next few turns. Where many tasks come due at one hour, later calls order the rest. */
  async order(now: Date): Promise<void> {
    // Those that come due are ordered before a bulk of late ones.
    const [soon, late] = await Promise.all([
      this.dueBetween(now, new Date(now.getTime() + AHEAD_MS)),
      this.dueBetween(new Date(now.getTime() - REMIND_LATE_MS), now),
    ]);
    const left = await this.orderSome([...soon, ...late], now, MAX_AT_ONCE);
    // Those of the night may be many, and must not hold up the others.
    if (left > 0) await this.orderSome(await this.dueInNight(now), now, left);
  }

  /** Orders turns for tasks, as many as there is room for. Returns the room that is left. */
  private async orderSome(tasks: readonly DueTask[], now: Date, room: number): Promise<number> {
    const day = now.toISOString().slice(0, 10);
    if (this.ordered.day !== day) this.ordered = { day, orders: new Set() };
    const done = this.ordered.orders;
    const due = Map.groupBy(tasks, ({ personId, companionId }) => `${personId} ${companionId}`);
    const next = [...due.values()].map(asOne).filter((task) => !done.has(nameOf(task)));
    const chosen = next.slice(0, room);
    for (const task of chosen) {
      const { personId, companionId, dueAt, notedAt } = task;
      const order = { personId, companionId, day, why: 'task' as const, task: { dueAt, notedAt } };
      await this.messenger.enqueue(gatewayContract.heartbeat, order);
      done.add(nameOf(task));
    }
    return room - chosen.length;
  }

  /** Reads all tasks that come due in a time, the soonest first. */
  private async dueBetween(from: Date, to: Date): Promise<DueTask[]> {
    const read = new Map<string, DueTask>();
    let last: DueTask | undefined;
    for (;;) {
      const { tasks } = await this.messenger.ask(memoryContract.dueTasks, {
        from: last?.dueAt ?? from.toISOString(),
        to: to.toISOString(),
        after: last?.id,
        limit: PAGE_SIZE,
      });
      const before = read.size;
      for (const task of tasks) read.set(task.id, task);
      // A memory of an earlier version knows no `after`: pages of tasks that are due at one time would come for ever.
      if (tasks.length < PAGE_SIZE || read.size === before) return [...read.values()];
      last = tasks.at(-1);
    }
  }

  /** Reads the tasks that fall due in quiet hours that are about to begin: after them the reminder would be late. */
  private async dueInNight(now: Date): Promise<DueTask[]> {
    const nights = (await this.records.quietHours()).flatMap((hours) => nightAhead(hours, now) ?? []);
    if (nights.length === 0) return [];
    const lastEnd = new Date(Math.max(...nights.map((end) => end.getTime())));
    const tasks = await this.dueBetween(new Date(now.getTime() + AHEAD_MS), lastEnd);
    const quietHoursOf = await this.records.quietHoursOf(tasks.map(({ personId }) => personId));
    return tasks.filter(({ personId, dueAt }) => {
      const hours = quietHoursOf(personId);
      const nightEnds = hours && nightAhead(hours, now);
      return nightEnds && new Date(dueAt) < nightEnds;
    });
  }
}

/** Returns the end of quiet hours that begin soon; null where none do. */
function nightAhead(hours: QuietHours, now: Date): Date | null {
  return quietUntil(now, hours) ? null : quietUntil(new Date(now.getTime() + AHEAD_MS), hours);
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
