import type { Client } from 'discord.js';
import type { Logger } from 'pino';

/** Part of discord.js that hands each event of the gateway to its reader; its types do not name it. */
interface EventReaders {
  handlePacket(packet?: { t?: string | null }, shard?: unknown): boolean;
}

/**
 * Skips events that discord.js can't read, on which the library would let the process end: an event without a field that
 * it expects, such as another server that speaks Discord's protocol may send, or one with a name that every object has.
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
