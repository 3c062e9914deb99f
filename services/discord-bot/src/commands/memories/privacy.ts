import { gatewayContract } from '@kith/contracts';
import type { Command } from '../command.js';
import { flagOption } from '../options.js';
import { describePrivacy } from './memory-words.js';

/** Turns remembering off for the person, or on again. */
export const privacy: Command = {
  name: 'private',
  description: 'Talk without being remembered',
  options: [flagOption('on', 'From now on, or no longer', { required: true })],
  run: async ({ messenger, personId }, { options }) => {
    const asked = { personId, private: options.getBoolean('on', true) };
    return { content: describePrivacy(await messenger.ask(gatewayContract.privacy, asked)) };
  },
};
