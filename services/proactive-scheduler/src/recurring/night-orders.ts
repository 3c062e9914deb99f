import { createHash } from 'node:crypto';
import { gatewayContract, memoryContract, personalityContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

type Orders = Pick<Messenger, 'ask' | 'enqueue'>;

/** Orders a day's consolidation for everyone who said something on it. Safe to repeat: the jobs have the day in their ids. */
export async function orderConsolidation(messenger: Orders, day: string): Promise<void> {
  const { pairs } = await messenger.ask(memoryContract.active, { day });
  for (const { personId, companionId } of pairs) {
    await messenger.enqueue(memoryContract.consolidate, { personId, companionId, day });
  }
}

/**
 * Orders the quiet turns of a night: of each companion that thinks by itself, with as many of those it talked with as
 * its persona allows, others on another day. Safe to repeat: a day with somebody is thought over once.
 */
export async function orderHeartbeats(messenger: Orders, day: string): Promise<void> {
  const { companions } = await messenger.ask(personalityContract.companions, {});
  const thinking = companions.filter(({ heartbeatsPerNight }) => heartbeatsPerNight !== undefined);
  if (thinking.length === 0) return;
  const { pairs } = await messenger.ask(memoryContract.active, { day });
  for (const { id: companionId, heartbeatsPerNight } of thinking) {
    const people = pairs.filter((pair) => pair.companionId === companionId).map(({ personId }) => personId);
    for (const personId of drawn(people, day).slice(0, heartbeatsPerNight)) {
      await messenger.enqueue(gatewayContract.heartbeat, { personId, companionId, day });
    }
  }
}

/** In an order that is the same whenever it is asked for, and another each day. */
function drawn(people: readonly string[], day: string): string[] {
  const lot = (personId: string) => createHash('sha256').update(`${day} ${personId}`).digest('hex');
  return people.toSorted((one, other) => (lot(one) < lot(other) ? -1 : 1));
}

/** Orders every companion's reflection on a day. Safe to repeat, for the same reason. */
export async function orderReflection(messenger: Orders, day: string): Promise<void> {
  const { companions } = await messenger.ask(personalityContract.companions, {});
  for (const { id: companionId } of companions) {
    await messenger.enqueue(personalityContract.reflect, { companionId, day });
  }
}
