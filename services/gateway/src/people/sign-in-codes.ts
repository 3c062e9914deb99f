import { createHmac, randomBytes, hash } from 'node:crypto';
import {
  AppError,
  formatApiKey,
  present,
  type SignedIn,
  type SignInCode,
  type SignInRequest,
} from '@kith/contracts';
import { Redis } from 'ioredis';
import type { ApiKeys } from './api-keys.js';
import type { Caller } from './caller.js';

/** Seconds for which a code is good: long enough to go from a terminal to a browser. */
const VALID_S = 600;
/** Time that somebody who signs in waits for Redis: on a busy machine it may be silent for some hundred milliseconds. */
const COMMAND_TIMEOUT_MS = 5_000;

/**
 * Puts a code back once each try of its nonce has failed: none may have a session, or still get one. In one piece, so that
 * no try begins meanwhile.
 */
const PUT_BACK = `if redis.call('decr', KEYS[1]) == 0 then redis.call('renamenx', KEYS[2], KEYS[3]) end`;

/** Codes that sign a browser in once, so that no link holds a key. Redis alone stores them, by their hash. */
export class SignInCodes {
  private readonly redis: Redis;

  constructor(
    { url, keyPrefix }: { url: string; keyPrefix: string },
    private readonly keys: Pick<ApiKeys, 'openSession'>,
  ) {
    this.redis = new Redis(url, {
      keyPrefix: `${keyPrefix}sign-in:`,
      // Hardly anybody signs in: until somebody does, there is no connection.
      lazyConnect: true,
      commandTimeout: COMMAND_TIMEOUT_MS,
      socketTimeout: COMMAND_TIMEOUT_MS,
      disconnectTimeout: 200,
      maxRetriesPerRequest: 1,
    });
    this.redis.on('error', () => undefined); // told where a command fails
  }

  /** Makes a code for whoever has this key. @throws AppError `unavailable` without Redis */
  async make({ keyId }: Caller, now: Date): Promise<SignInCode> {
    const code = randomBytes(24).toString('base64url');
    await reached(this.redis.set(nameOf(code), keyId, 'EX', VALID_S));
    return { code, expiresAt: new Date(now.getTime() + VALID_S * 1_000).toISOString() };
  }

  /**
   * Opens a session, and uses the code up. It stays good where that fails, which leads nowhere where its key was ended, and
   * for the nonce that it came with: whoever had no answer asks again, and gets the same session.
   * @throws AppError `unauthorized` when it is unknown, used, too old, or its key was ended meanwhile
   */
  async redeem(
    { code, nonce = randomBytes(16).toString('base64url') }: SignInRequest,
    now: Date,
  ): Promise<SignedIn> {
    const taken = nameOf(code + nonce);
    const unfailed = `${taken}:unfailed`;
    // One that was taken already is no longer there to be renamed.
    const taking = this.redis.multi().rename(nameOf(code), taken).get(taken);
    const answers = await reached(taking.incr(unfailed).expire(unfailed, VALID_S).exec());
    const [, keyId] = present(answers?.[1]) as [Error | null, string | null];
    if (!keyId)
      throw new AppError(
        'unauthorized',
        'this sign-in link was used already, or is too old: kith login makes another',
      );
    const key = formatApiKey(createHmac('sha256', nonce).update(code).digest());
    return this.keys.openSession(keyId, now, key).catch(async (error: unknown) => {
      await this.redis.eval(PUT_BACK, 3, unfailed, taken, nameOf(code)).catch(() => undefined);
      throw error;
    });
  }

  close(): void {
    this.redis.disconnect();
  }
}

function nameOf(code: string): string {
  return hash('sha256', code);
}

function reached<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((cause: unknown) => {
    throw new AppError('unavailable', 'signing in by a link needs Redis, which is down', undefined, {
      cause,
    });
  });
}
