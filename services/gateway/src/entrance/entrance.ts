import { lookup } from 'node:dns/promises';
import type { IncomingMessage } from 'node:http';
import type { Logger } from 'pino';
import { RateLimiterMemory } from 'rate-limiter-flexible';
import type { ApiKeys } from '../people/api-keys.js';
import { clientAddress, literalAddress, plainIp } from './client-address.js';
import { toAppError } from './problem-details.js';
import { tooMany } from './rate-limit.js';
import type { Caller } from '../people/caller.js';

/** Keys that one address may use at once: those of an office, or of everybody on this machine. */
const KEYS_PER_ADDRESS = 10;
/** Time between two look-ups of the proxy, which may have another address after a restart. */
const FIND_EVERY_MS = 30_000;
/** Misses in a row before a warning: a proxy that starts after the gateway, as with Compose, is missed once. */
const TOLD_AT_MISS = 2;

/**
 * Lets callers in: counts each address before a key of it is looked up, in this process alone, so that a flood costs
 * neither Redis nor Postgres a thing.
 */
export class Entrance {
  private readonly requests: RateLimiterMemory;
  private readonly failures: RateLimiterMemory;
  private proxies: ReadonlySet<string> = new Set();
  /** Look-ups in a row after which no address of the proxy was known. */
  private misses = 0;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param perMinute requests that one key may make
   * @param proxy name or address of the reverse proxy in front; empty where there is none
   */
  constructor(
    private readonly keys: Pick<ApiKeys, 'authenticate'>,
    perMinute: number,
    private readonly proxy: string,
    private readonly logger: Pick<Logger, 'warn'>,
    private readonly addressesOf = lookUp,
  ) {
    this.requests = new RateLimiterMemory({ points: perMinute * KEYS_PER_ADDRESS, duration: 60 });
    this.failures = new RateLimiterMemory({ points: perMinute, duration: 60 });
  }

  /** Finds out where the proxy is, now and from time to time. */
  async start(): Promise<void> {
    if (this.proxy === '') return;
    const address = literalAddress(this.proxy);
    if (address !== null) {
      this.proxies = new Set([address]);
      return;
    }
    this.timer = setInterval(() => void this.findProxy(), FIND_EVERY_MS).unref();
    await this.findProxy();
  }

  stop(): void {
    clearInterval(this.timer);
  }

  /** Finds the address a request comes from. */
  addressOf({ socket, headers }: Pick<IncomingMessage, 'socket' | 'headers'>): string {
    const forwardedFor = headers['x-forwarded-for'];
    return clientAddress(
      { remote: socket.remoteAddress, forwardedFor: [forwardedFor].flat().at(-1) },
      (address) => this.proxies.has(address),
    );
  }

  /** Counts a request. @throws AppError `rate_limited` */
  async admit(address: string): Promise<void> {
    const failed = await this.failures.get(address);
    if (failed && failed.remainingPoints <= 0 && failed.msBeforeNext > 0) throw tooMany(failed.msBeforeNext);
    await this.requests.consume(address).catch((refusal: unknown) => {
      throw tooMany((refusal as { msBeforeNext: number }).msBeforeNext);
    });
  }

  /** Finds who has a key. Refused keys are counted. @throws AppError as `ApiKeys.authenticate` */
  async callerOf(key: string, address: string): Promise<Caller> {
    try {
      return await this.keys.authenticate(key, new Date());
    } catch (error) {
      if (toAppError(error).code === 'unauthorized') await this.countFailure(address);
      throw error;
    }
  }

  /** Counts a key or code that was refused. */
  async countFailure(address: string): Promise<void> {
    await this.failures.penalty(address, 1);
  }

  private async findProxy(): Promise<void> {
    const found = await this.addressesOf(this.proxy).catch(() => []);
    if (found.length > 0) this.proxies = new Set(found.map(plainIp));
    this.misses = this.proxies.size === 0 ? this.misses + 1 : 0;
    if (this.misses === TOLD_AT_MISS)
      this.logger.warn(
        { proxy: this.proxy },
        'TRUSTED_PROXY is not found: until it is, all who come through it count as one address',
      );
  }
}

async function lookUp(name: string): Promise<string[]> {
  return (await lookup(name, { all: true })).map(({ address }) => address);
}

/** Reads the key of a request; null without one. */
export function bearerKey(authorization: string | undefined): string | null {
  return /^Bearer (\S+)$/i.exec(authorization ?? '')?.[1] ?? null;
}
