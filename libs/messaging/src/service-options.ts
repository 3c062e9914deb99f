import type { Neighbours } from './local/neighbours.js';
import type { MessagingLogger } from './logger.js';

/** Options of every way in which a service reaches others. */
export interface ServiceOptions {
  /** The service's name, for Redis' list of clients. */
  readonly service: string;
  readonly redisUrl: string;
  /** Keeps suites that share a Redis apart. */
  readonly keyPrefix?: string;
  readonly logger: MessagingLogger;
  /** The services of the same process, where there are any: they are reached without Redis. */
  readonly neighbours?: Neighbours;
}
