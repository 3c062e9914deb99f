import {
  counted,
  countHoldings,
  gatewayContract,
  type ErasureView,
  type PersonHoldings,
} from '@kith/contracts';
import { askFirst } from '../ask-first.js';
import type { Command } from '../command.js';

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

export function askToErase({ stores, silent }: Pick<PersonHoldings, 'stores' | 'silent'>): string {
  const { memories = 0 } = stores['memory'] ?? {};
  return [
    `Erase **everything** that is kept of you here, for good? That is ${countHoldings(stores)} entries, among them ${counted(memories, 'memory', 'memories')} and ${stores['gateway']?.['transcript'] ?? 0} lines of talk.`,
    ...(silent.length === 0
      ? []
      : [`Not counted, because it is out of reach right now: ${silent.join(', ')}.`]),
    'What is between us goes, too, with your settings, your API keys and what I meant to ask you. It can’t be undone: if you write again, we meet for the first time.',
    'The messages in Discord itself stay there; you can delete yours.',
  ].join('\n');
}

export function describeErased({ stores, finishedAt }: Pick<ErasureView, 'stores' | 'finishedAt'>): string {
  return finishedAt === null
    ? 'You are erased: nothing more is kept of you from now on. What there was is being removed, which goes on until it is done.'
    : `You are erased: ${countHoldings(stores)} entries are gone, for good. If you write again, we meet for the first time.`;
}
