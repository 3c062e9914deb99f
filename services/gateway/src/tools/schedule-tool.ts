import { IsoTime, memoryContract, outreachContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import type { NoteOrigin } from './note-origin.js';
import { declareTool, NotDone, type Tool } from './tool.js';

const Intend = z.object({ about: z.string().trim().min(1).max(300), at: IsoTime });

export const SCHEDULE_INTENTION = declareTool(
  'schedule_intention',
  'Keep something to come back to with them, on a day. It is only kept for who allowed you to write first.',
  {
    about: { type: 'string', description: 'what to ask or say, in a few words' },
    at: { type: 'string', description: 'when, as ISO 8601 with an offset, such as 2027-03-05T15:00:00Z' },
  },
  { reads: [], changes: 'memory' },
);

/** A reason to write on a day, for a companion that thinks by itself: whether it does is the scheduler's to decide. */
export function scheduleTool(
  { messenger }: { messenger: Messenger },
  { personId, companionId }: Claim,
  { sourcesOf, begunAt, turnIds }: NoteOrigin,
): Tool {
  return {
    ...SCHEDULE_INTENTION,
    call: async (given) => {
      const { about, at } = Intend.parse(given);
      const whose = { personId, companionId };
      const messageIds = sourcesOf(about);
      const asked = { ...whose, sources: messageIds, begunAt };
      const late = await messenger.ask(memoryContract.whyNotNoted, asked);
      if (late.why !== null) throw new NotDone(`Not kept: ${late.why}.`);
      const { kept, why } = await messenger.ask(outreachContract.intend, {
        ...{ ...whose, about, at, turnIds, messageIds },
      });
      if (!kept) throw new NotDone(`Not kept: ${why ?? 'not now'}.`);
      return `Kept for ${at}.`;
    },
  };
}
