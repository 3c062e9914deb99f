import type { Command } from '../command.js';
import { newestMemories } from './own-memories.js';

/** Gives the person every memory of theirs as a line of JSON. */
export const exportAll: Command = {
  name: 'export',
  description: 'Everything that is kept about you, as a file',
  run: async (context) => {
    const { memories } = await newestMemories(context, Number.POSITIVE_INFINITY, { asKept: true });
    const lines = memories.map((memory) => `${JSON.stringify(memory)}\n`).join('');
    return {
      content: 'Everything that is kept about you:',
      files: [{ attachment: Buffer.from(lines), name: 'memories.jsonl' }],
    };
  },
};
