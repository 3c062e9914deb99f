import { memoryContract } from '@kith/contracts';
import type { Command } from '../command.js';
import { textOption } from '../options.js';
import { describeSearch } from './memory-words.js';
import { AUDIENCE, SHOWN } from './own-memories.js';

/** Ten memories of any usual length; the command shows a line of each. */
const SEARCH_TOKENS = 8_000;

/** Shows what recall finds for a text. */
export const search: Command = {
  name: 'search',
  description: 'What comes to its mind',
  options: [textOption('query', 'What to look for', { required: true, max_length: 500 })],
  run: async ({ messenger, companionId, personId, now }, { options }) => {
    const { memories, degraded } = await messenger.ask(memoryContract.recall, {
      personId,
      companionId,
      audience: AUDIENCE,
      query: options.getString('query', true),
      limit: SHOWN,
      maxTokens: SEARCH_TOKENS,
      now: now.toISOString(),
      countAsUse: false,
      fromArchive: true,
    });
    return { content: describeSearch(memories, degraded.length > 0) };
  },
};
