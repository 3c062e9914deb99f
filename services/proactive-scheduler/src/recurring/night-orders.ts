import { createHash } from 'node:crypto';
import {
  type CompanionDay,
  type CompanionView,
  gatewayContract,
  memoryContract,
  personalityContract,
} from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

type Orders = Pick<Messenger, 'ask' | 'enqueue'>;

/** A night of a companion's over one of its days. */
export type Night = Omit<CompanionDay, 'companionId'> & { companion: CompanionView };

/** Orders a day's consolidation for everyone who said something on it. Safe to repeat: the jobs have the day in their ids. */
export async function orderConsolidation(messenger: Orders, night: Night): Promise<void> {
  const day = dayOf(night);
  for (const personId of await activeOn(messenger, day)) {
    await messenger.enqueue(memoryContract.consolidate, { personId, ...day });
  }
}

/**
 * Orders the quiet turns of a night: of a companion that thinks by itself, with as many of those it talked with as its
 * persona allows, others on another day. Safe to repeat: a day with somebody is thought over once.
 */
export async function orderHeartbeats(messenger: Orders, night: Night): Promise<void> {
  const { heartbeatsPerNight } = night.companion;
  if (heartbeatsPerNight === undefined) return;
  const { companionId, day } = dayOf(night);
  const people = await activeOn(messenger, dayOf(night));
  for (const personId of drawn(people, day).slice(0, heartbeatsPerNight)) {
    await messenger.enqueue(gatewayContract.heartbeat, { personId, companionId, day });
  }
}

/** Orders a companion's reflection on a day. Safe to repeat, for the same reason. */
export async function orderReflection(messenger: Orders, night: Night): Promise<void> {
  await messenger.enqueue(personalityContract.reflect, dayOf(night));
}

function dayOf({ companion, day, from, to }: Night): CompanionDay {
  return { companionId: companion.id, day, from, to };
}

async function activeOn(messenger: Orders, { companionId, from, to }: CompanionDay): Promise<string[]> {
  const { personIds } = await messenger.ask(memoryContract.active, { companionId, from, to });
  return personIds;
}

/** Sorts people into an order that is the same whenever it is asked for, and another each day. */
function drawn(people: readonly string[], day: string): string[] {
  const lot = (personId: string) => createHash('sha256').update(`${day} ${personId}`).digest('hex');
  return people.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1));
}
