import { outreachContract } from '@kith/contracts';
import type { Command } from '../command.js';
import { describeAttempts } from './companion-words.js';

/** Attempts that a message has room for. */
const SHOWN_ATTEMPTS = 8;

/** Tells why the companion wrote first, the last times it did. */
export const why: Command = {
  name: 'why',
  description: 'Why did you write? The last messages it started',
  run: async ({ messenger, personId }) => {
    const { attempts } = await messenger.ask(outreachContract.attempts, { personId, limit: SHOWN_ATTEMPTS });
    return { content: describeAttempts(attempts) };
  },
};
