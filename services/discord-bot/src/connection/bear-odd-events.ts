import type { Client } from 'discord.js';
import type { Logger } from 'pino';

/** The part of discord.js that hands each event of the gateway to its reader; the library's types keep it to itself. */
interface EventReaders {
  handlePacket(packet?: { t?: string | null }, shard?: unknown): boolean;
}

/**
 * Has an event that discord.js can't read cost that event alone. The library lets such an error end the process: one
 * without a field that it expects, from a server that speaks Discord's protocol in a way of its own, or by a name that
 * every object has.
 */
export function bearOddEvents(client: Client, logger: Pick<Logger, 'error'>): void {
  const readers = client.ws as unknown as EventReaders;
  const handlePacket = readers.handlePacket.bind(readers);
  readers.handlePacket = (packet, shard) => {
    try {
      return handlePacket(packet, shard);
    } catch (error) {
      logger.error({ event: packet?.t, err: error }, 'event not understood by discord.js');
      return false;
    }
  };
}
