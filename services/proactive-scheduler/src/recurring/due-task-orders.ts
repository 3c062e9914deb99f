import { gatewayContract, HOUR_MS, memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** Time before a task is due at which it is thought of: enough for a reminder to be decided on. */
const AHEAD_MS = HOUR_MS;
/** Heartbeats that tasks may order at once: a bulk of imported ones must not cost a night of model calls. */
const MAX_AT_ONCE = 20;
/** Tasks that are looked at, as many as memory tells at once: those behind the first twenty are next. */
const MAX_TASKS = 500;

/** Orders quiet turns for tasks that come due, one a day for each person with a companion. */
export class DueTaskOrders {
  /** Pairs that were ordered for on a day. A restart forgets them, and the same order again does nothing. */
  private ordered = { day: '', pairs: new Set<string>() };

  constructor(private readonly messenger: Pick<Messenger, 'ask' | 'enqueue'>) {}

  /** Orders the next few turns. Where many tasks come due at one hour, later calls order the rest. */
  async order(now: Date): Promise<void> {
    const to = new Date(now.getTime() + AHEAD_MS).toISOString();
    const asked = { from: now.toISOString(), to, limit: MAX_TASKS };
    const { tasks } = await this.messenger.ask(memoryContract.dueTasks, asked);
    const day = now.toISOString().slice(0, 10);
    if (this.ordered.day !== day) this.ordered = { day, pairs: new Set() };
    const { pairs } = this.ordered;
    const due = new Map(tasks.map((task) => [`${task.personId} ${task.companionId}`, task]));
    const next = [...due].filter(([pair]) => !pairs.has(pair)).slice(0, MAX_AT_ONCE);
    for (const [pair, { personId, companionId }] of next) {
      await this.messenger.enqueue(gatewayContract.heartbeat, { personId, companionId, day, why: 'task' });
      pairs.add(pair);
    }
  }
}
