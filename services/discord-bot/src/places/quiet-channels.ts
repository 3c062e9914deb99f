import { outreachContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/** Reads in which channels the operator lets no companion write first: nor does it in their threads. */
export async function quietChannels(messenger: Pick<Messenger, 'ask'>): Promise<ReadonlySet<string>> {
  const { channels } = await messenger.ask(outreachContract.channelModes, {});
  return new Set(channels.filter(({ mode }) => mode === 'off').map(({ channelId }) => channelId));
}
