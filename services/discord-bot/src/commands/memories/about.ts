import { memoryContract } from '@kith/contracts';
import type { Command } from '../command.js';
import { fitsMessage } from '../fitted-text.js';
import { AUDIENCE } from './own-memories.js';

/** Shows what is known of the person as a page in Markdown; as a file where it is too long for a message. */
export const about: Command = {
  name: 'about',
  description: 'What it knows of you, as a page',
  run: async ({ messenger, companionId, personId, now }) => {
    const asked = { personId, companionId, audience: AUDIENCE, now: now.toISOString() } as const;
    const { page } = await messenger.ask(memoryContract.describe, asked);
    if (fitsMessage(page)) return { content: page };
    return {
      content: 'What I know of you:',
      files: [{ attachment: Buffer.from(page), name: 'about-you.md' }],
    };
  },
};
