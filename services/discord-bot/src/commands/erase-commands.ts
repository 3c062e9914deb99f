import { gatewayContract } from '@kith/contracts';
import type { CommandContext } from './command-context.js';
import { askToErase, describeErased } from './describe-erasure.js';

/** Waits for its button: nobody is erased by a slip of the finger. */
export const ERASE_ORDER = { kind: 'erase-me' } as const;

/** How much is kept of the person everywhere, as a question. */
export async function planErasure({ messenger, personId }: CommandContext): Promise<string> {
  return askToErase(await messenger.ask(gatewayContract.holdings, { personId }));
}

/** Erases the person, at every service. */
export async function eraseMe({ messenger, personId }: CommandContext): Promise<string> {
  return describeErased(await messenger.ask(gatewayContract.eraseMe, { personId }));
}
