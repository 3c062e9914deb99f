import { setTimeout as sleep } from 'node:timers/promises';
import { memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Conversation } from './locomo.ts';

const BATCH = 400;
/** The slowest encoder here embeds a batch within a tenth of it. */
const STANDSTILL_MS = 120_000;

/** Makes a conversation one person's memories, and waits until they can be found. */
export async function importConversation(
  messenger: Messenger,
  personId: string,
  { id, turns }: Conversation,
): Promise<void> {
  for (let from = 0; from < turns.length; from += BATCH) {
    await messenger.ask(memoryContract.import, {
      personId,
      companionId: 'mira',
      records: turns
        .slice(from, from + BATCH)
        .map((turn) => ({
          text: turn.said,
          saidAt: turn.at,
          speaker: turn.speaker,
          conversation: `locomo:${id}`,
          sources: [turn.id],
        })),
    });
  }
  let [last, since] = [0, performance.now()];
  for (;;) {
    const { memories, indexed } = await messenger.ask(memoryContract.stats, { personId });
    if (indexed >= memories) return;
    if (indexed > last) [last, since] = [indexed, performance.now()];
    if (performance.now() - since > STANDSTILL_MS)
      throw new Error(
        `nothing was indexed for two minutes, at ${indexed} of ${memories}: does what embeds answer?`,
      );
    await sleep(100);
  }
}
