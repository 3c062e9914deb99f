import { setTimeout as sleep } from 'node:timers/promises';
import { AppError, withinTime } from '@kith/contracts';
import { Redis, type RedisOptions } from 'ioredis';
import type { MessagingLogger } from '../logger.js';

/** Longest wait of one blocking read. At rest these reads are all the traffic, and they prove the connection alive. */
export const BLOCK_MS = 12_000;
// Redis answers any command sooner: a connection that is silent for this long is half open.
const SOCKET_SILENCE_MS = 10_000;
// A blocking read is answered by its end at the latest; a busy machine gets a quarter more.
const READER_SILENCE_MS = 1.25 * BLOCK_MS;
// A Redis that is back is found within a second, and one that is gone is not asked all the time.
const RECONNECT_CEILING_MS = 1_000;
// Shorter than the first reconnect (50 ms), and long enough that waiting for Redis takes hardly any CPU.
const PAUSE_BEFORE_RETRY_MS = 20;
/** Pause after a refusal: a Redis that is full stays so for minutes, and what waits for it is done this much later at most. */
export const REFUSED_PAUSE_MS = 500;
// An operator who looks at the log of the last minute sees that it goes on, and a day of it fills no disk.
const TELL_REFUSAL_EVERY_MS = 60_000;

/**
 * Opens a connection that reconnects for ever. While it is down its commands fail at once; `withinReach` sends them
 * again, so that nothing is reported as done, or as failed, when it was not.
 */
export function openConnection(
  redisUrl: string,
  name: string,
  log: MessagingLogger,
  silenceMs = SOCKET_SILENCE_MS,
): Redis {
  return open(redisUrl, name, log, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    socketTimeout: silenceMs,
    autoResubscribe: false,
  });
}

/** Opens a connection for blocking reads of at most `BLOCK_MS` each. */
export function openReader(redisUrl: string, name: string, log: MessagingLogger): Redis {
  return openConnection(redisUrl, name, log, READER_SILENCE_MS);
}

/** Opens a connection for BullMQ workers: it keeps their commands over a reconnect, as they expect. */
export function openWorkerConnection(redisUrl: string, name: string, log: MessagingLogger): Redis {
  return open(redisUrl, name, log, { maxRetriesPerRequest: null, socketTimeout: SOCKET_SILENCE_MS });
}

function open(
  redisUrl: string,
  name: string,
  log: MessagingLogger,
  options: Omit<RedisOptions, 'replyMapping'>,
): Redis {
  const redis = new Redis(redisUrl, {
    ...options,
    connectionName: name,
    connectTimeout: 5_000,
    // By default `disconnect` waits longer, in vain where the socket is gone already.
    disconnectTimeout: 200,
    reconnectOnError: isOfReplica,
    retryStrategy: reconnectDelayMs,
  });
  return watched(redis, name, log);
}

/** Tells whether a server refused a write because it is a replica now: the address leads to another after a failover. */
function isOfReplica(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // A transaction's own error only says that it was discarded.
  const { previousErrors = [] } = error as { previousErrors?: Error[] };
  return [error, ...previousErrors].some(({ message }) => message.startsWith('READONLY'));
}

function reconnectDelayMs(tries: number): number {
  return Math.min(25 * 2 ** Math.min(tries, 10), RECONNECT_CEILING_MS);
}

/** Logs an outage once, not once per try. */
function watched(redis: Redis, name: string, log: MessagingLogger): Redis {
  let down = false;
  // Every command that waits for the reconnect adds a listener. Not 0 (no limit): BullMQ adds to the number.
  redis.setMaxListeners(100_000);
  redis.on('error', (error: Error) => {
    if (!down) log.warn({ connection: name, error: error.message }, 'redis is out of reach');
    down = true;
  });
  redis.on('ready', () => {
    if (down) log.info({ connection: name }, 'redis is back');
    down = false;
  });
  return redis;
}

/**
 * Runs a command as soon as Redis is there, again when the connection breaks under it, and throws
 * `unavailable` when that has not worked within `budgetMs`, or when Redis refuses. A command that broke
 * off may have been carried out, so it happens at least once.
 */
export async function withinReach<T>(
  redis: Redis,
  budgetMs: number,
  what: string,
  command: () => Promise<T>,
): Promise<T> {
  const deadline = performance.now() + budgetMs;
  for (;;) {
    try {
      await untilReady(redis, deadline - performance.now());
      return await withinTime(
        command(),
        deadline - performance.now(),
        () => new Error('no reply from Redis'),
      );
    } catch (error) {
      if (error instanceof AppError) throw error;
      if (isReplyError(error)) {
        throw new AppError('unavailable', `${what}: Redis refuses`, undefined, { cause: error });
      }
      if (redis.status === 'ready' && !isConnectionError(error)) {
        throw new AppError('internal', `${what} failed`, undefined, { cause: error });
      }
      if (isClosed(redis) || performance.now() >= deadline) {
        throw new AppError('unavailable', `${what}: Redis is out of reach`, undefined, { cause: error });
      }
      await sleep(PAUSE_BEFORE_RETRY_MS);
    }
  }
}

/** Tells whether Redis got a command and refused it. A replica's refusal counts as trouble of the connection. */
export function isReplyError(error: unknown): boolean {
  return isRefusal(error) && !isOfReplica(error);
}

/** Tells whether Redis, or a replica of it, got a command and refused it. */
export function isRefusal(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError';
}

const toldAt = new WeakMap<Redis, Map<string, number>>();

/** Tells whether a refusal is to be logged: of each kind, such as OOM, one a minute on a connection, not one per try. */
export function isToBeTold(redis: Redis, refusal: unknown): boolean {
  const [kind = ''] = (refusal as Error).message.split(' ', 1);
  const told = toldAt.get(redis) ?? new Map<string, number>();
  toldAt.set(redis, told);
  if (performance.now() - (told.get(kind) ?? -Infinity) < TELL_REFUSAL_EVERY_MS) return false;
  told.set(kind, performance.now());
  return true;
}

/** Waits before a read that failed is tried again, and tells of a refusal. One that was only woken up is none. */
export async function pauseAfter(
  error: unknown,
  reader: Redis,
  log: MessagingLogger,
  refused: string,
): Promise<void> {
  if (isRefusal(error) && !(error as Error).message.startsWith('UNBLOCKED')) {
    if (isToBeTold(reader, error)) log.error({ err: error }, refused);
    await sleep(REFUSED_PAUSE_MS);
  } else {
    await untilReady(reader, 1_000).catch(() => undefined);
    // A connection that is "ready" and yet fails must not spin.
    await sleep(PAUSE_BEFORE_RETRY_MS);
  }
}

// ioredis has no class for errors of the connection: they are system errors, or sentences of its own.
const CONNECTION_TROUBLE =
  /Connection is closed|connection close|isn't writeable|not connected|no reply from Redis|Socket timeout/;

/** Tells whether an error is of the connection and not of the command. */
function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return (
    error.name === 'MaxRetriesPerRequestError' ||
    'syscall' in error ||
    isOfReplica(error) ||
    CONNECTION_TROUBLE.test(error.message)
  );
}

const closed = new WeakSet<Redis>();
const CLOSED = 'closed-for-good';

/** Closes a connection for good. Whoever waits for it to be ready is told, even while it reconnects. */
export function closeConnection(redis: Redis): void {
  closed.add(redis);
  redis.disconnect();
  redis.emit(CLOSED);
}

function isClosed(redis: Redis): boolean {
  return closed.has(redis) || redis.status === 'end';
}

/** Resolves when the connection can take commands; rejects after `withinMs` or when it is closed. */
export function untilReady(redis: Redis, withinMs: number): Promise<void> {
  if (isClosed(redis)) return Promise.reject(new Error('the connection is closed'));
  if (redis.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const finish = (error?: Error) => {
      clearTimeout(timer);
      redis.off('ready', onReady);
      redis.off(CLOSED, onClosed);
      if (error) reject(error);
      else resolve();
    };
    const onReady = () => finish();
    const onClosed = () => finish(new Error('the connection is closed'));
    const timer = setTimeout(() => finish(new Error('not connected')), Math.max(0, withinMs));
    redis.once('ready', onReady);
    redis.once(CLOSED, onClosed);
  });
}
