import { gatewayContract } from '@kith/contracts';
import { askFirst } from '../ask-first.js';
import type { Command } from '../command.js';
import { askToErase, describeErased } from './erasure-words.js';

/** Says how much is kept of the person everywhere; erases it at every service once they confirm. */
export const eraseMe: Command = {
  name: 'erase-me',
  description: 'Erase all that is kept of you, everywhere; you confirm before anything goes',
  run: async (context) => {
    const { messenger, personId } = context;
    const kept = await messenger.ask(gatewayContract.holdings, { personId });
    return askFirst(context, askToErase(kept), 'Erase me', async () => ({
      content: describeErased(await messenger.ask(gatewayContract.eraseMe, { personId })),
    }));
  },
};
