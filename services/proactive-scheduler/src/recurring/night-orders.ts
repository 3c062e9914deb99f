import { memoryContract, personalityContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

type Orders = Pick<Messenger, 'ask' | 'enqueue'>;

/** Orders a day's consolidation for everyone who said something on it. Safe to repeat: the jobs have the day in their ids. */
export async function orderConsolidation(messenger: Orders, day: string): Promise<void> {
  const { pairs } = await messenger.ask(memoryContract.active, { day });
  for (const { personId, companionId } of pairs) {
    await messenger.enqueue(memoryContract.consolidate, { personId, companionId, day });
  }
}

/** Orders every companion's reflection on a day. Safe to repeat, for the same reason. */
export async function orderReflection(messenger: Orders, day: string): Promise<void> {
  const { companions } = await messenger.ask(personalityContract.companions, {});
  for (const { id: companionId } of companions) {
    await messenger.enqueue(personalityContract.reflect, { companionId, day });
  }
}
