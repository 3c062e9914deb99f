import { memoryContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import { z } from 'zod';
import type { Claim } from '../inbox/claim.js';
import type { NoteOrigin } from './note-origin.js';
import { declareTool, NotDone, type Tool } from './tool.js';

const Insert = z.object({ content: z.string().trim().min(1).max(1_000) });

export const ARCHIVAL_MEMORY_INSERT = declareTool(
  'archival_memory_insert',
  'Keep a longer note about them that search_memory finds later, when it is too much for what you always have in mind.',
  { content: { type: 'string', description: 'in the third person, only what they said' } },
  { reads: [], changes: 'memory' },
);

/** Makes Letta's tool for notes that are found by searching. A note is the companion's own word, and no fact. */
export function archiveTool(
  { messenger }: { messenger: Messenger },
  { personId, companionId, audience }: Claim,
  { companionName, now, sourcesOf, begunAt }: NoteOrigin & { companionName: string; now: Date },
): Tool {
  return {
    ...ARCHIVAL_MEMORY_INSERT,
    call: async (given) => {
      const { content } = Insert.parse(given);
      const whose = { personId, companionId };
      const { why, sources } = await messenger.ask(memoryContract.whyNotNoted, {
        ...{ ...whose, sources: sourcesOf(content), begunAt },
      });
      if (why !== null) throw new NotDone(`Not kept: ${why}.`);
      const words = { text: content, saidAt: now.toISOString(), speaker: companionName, note: true };
      const record = { ...words, sources, audience };
      const { kept, left } = await messenger.ask(memoryContract.import, { ...whose, records: [record] });
      if (left > 0) throw new NotDone('Not kept: they had it forgotten.');
      return kept > 0 ? 'Kept.' : 'That is kept already.';
    },
  };
}
