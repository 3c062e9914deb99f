import { gatewayContract, memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** Time before a task is due at which it is thought of: enough for a reminder to be decided on. */
const AHEAD_MS = 60 * 60_000;
/** Heartbeats that tasks may order at once: a bulk of imported ones must not cost a night of model calls. */
const MAX_AT_ONCE = 20;

/** Orders a quiet turn for each person with whom a task comes due. Safe to repeat: one a day with each. */
export async function orderDueTasks(messenger: Pick<Messenger, 'ask' | 'enqueue'>, now: Date): Promise<void> {
  const to = new Date(now.getTime() + AHEAD_MS).toISOString();
  const { tasks } = await messenger.ask(memoryContract.dueTasks, { from: now.toISOString(), to });
  const pairs = new Map(tasks.map((task) => [`${task.personId} ${task.companionId}`, task]));
  const day = now.toISOString().slice(0, 10);
  for (const { personId, companionId } of [...pairs.values()].slice(0, MAX_AT_ONCE)) {
    await messenger.enqueue(gatewayContract.heartbeat, { personId, companionId, day, why: 'task' });
  }
}
