import type { Client } from 'discord.js';
import type { Logger } from 'pino';

/** Parts of discord.js by which events of the gateway come; its types do not name them. */
interface Gateway {
  /** Listens to `_ws`, which it has made just before. */
  attachEvents(): void;
  _ws: { emit(name: string, payload?: { data?: Packet }): boolean };
  /** Reads a packet; one that came before the client was ready is read later, by itself. */
  handlePacket(packet?: Packet, shard?: unknown): boolean;
}

interface Packet {
  t?: string | null;
}

/**
 * Skips events that discord.js or a listener can't read; otherwise they would end the process. Such an event lacks a
 * field that they expect, as another server with Discord's protocol may send it, or has a name that every object
 * has.
 */
export function skipUnreadableEvents(client: Client, logger: Pick<Logger, 'error'>): void {
  const gateway = client.ws as unknown as Gateway;
  const skipUnreadable = (event: string | null | undefined, read: () => boolean): boolean => {
    try {
      return read();
    } catch (error) {
      logger.error({ event, err: error }, 'event not understood');
      return false;
    }
  };
  const handlePacket = gateway.handlePacket.bind(gateway);
  gateway.handlePacket = (packet, shard) => skipUnreadable(packet?.t, () => handlePacket(packet, shard));
  const attachEvents = gateway.attachEvents.bind(gateway);
  gateway.attachEvents = () => {
    attachEvents();
    const events = gateway._ws;
    const emit = events.emit.bind(events);
    events.emit = (name, payload) => skipUnreadable(payload?.data?.t ?? name, () => emit(name, payload));
  };
}
