import { gatewayContract, type PayloadInput } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';

/**
 * Tells of the end of a turn at a door that is a service of its own, which shows until then that the companion writes.
 * Clients of the gateway's own doors hear of it over their open call.
 */
export async function announceEnd(
  messenger: Pick<Messenger, 'announce'>,
  turn: PayloadInput<typeof gatewayContract.turnEnded>,
): Promise<void> {
  if (turn.door === 'discord') await messenger.announce(gatewayContract.turnEnded, turn);
}
