import { present } from '@kith/contracts';
import type { Client } from 'discord.js';
import type { Logger } from 'pino';

type Listener = (...args: unknown[]) => unknown;

/**
 * Skips events that discord.js, or a listener, can't read, on which the library would let the process end: an event without a
 * field that it expects, such as another server that speaks Discord's protocol may send, or one with a name that every object
 * has.
 */
export function bearOddEvents(client: Client, logger: Pick<Logger, 'error'>): void {
  const bear = (object: object, method: string) => {
    const methods = object as Record<string, Listener>;
    const call = present(methods[method]).bind(object);
    methods[method] = (...args) => {
      try {
        return call(...args);
      } catch (error) {
        const [first] = args;
        const event = typeof first === 'string' ? first : (first as { t?: unknown } | undefined)?.t;
        logger.error({ event, err: error }, 'event not understood');
        return false;
      }
    };
  };
  // An event of the gateway comes to each of them, one after the other.
  bear(client, 'emit');
  bear(client.ws, 'emit');
  bear(client.ws, 'handlePacket');
}
