import { AppError, HOUR_MS } from '@kith/contracts';
import type { MessageHandler } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { isObservable, lastValueFrom } from 'rxjs';
import { withinReach } from '../redis/connection.js';
import { withCorrelationId } from '../correlation.js';
import type { MessagingLogger } from '../logger.js';
import type { StreamMessage } from './entry.js';
import type { HandledEntry } from './server-options.js';

/** Parts that answering requests and hearing events have in common. */
export interface Handling {
  readonly commands: Redis;
  readonly group: string;
  readonly keyPrefix: string;
  readonly log: MessagingLogger;
  readonly observe: (handled: HandledEntry) => void;
  readonly handlerOf: (pattern: string) => MessageHandler | undefined;
}

/** Longest outage of Redis over which an outcome is kept. After it the entry counts as a dead process's, and is done again. */
export const ACKNOWLEDGE_WITHIN_MS = HOUR_MS;

/** Awaits the result of a handler. Nest hands out promises and streams of one value. */
export async function resultOf(handled: Promise<unknown>): Promise<unknown> {
  const result = await handled;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** Runs a handler on a message, under the correlation id that came with it. */
export function runHandler(handler: MessageHandler, message: StreamMessage): Promise<unknown> {
  return withCorrelationId(message.correlationId, () => resultOf(handler(JSON.parse(message.json))));
}

/** Acknowledges handled work, also when Redis is away for a while: otherwise it would be done again. */
export async function acknowledge(
  connection: Redis,
  commands: () => Promise<[Error | null, unknown][] | null>,
): Promise<void> {
  await withinReach(connection, ACKNOWLEDGE_WITHIN_MS, 'acknowledging', async () => {
    for (const [error] of (await commands()) ?? []) if (error) throw error;
  });
}

/** Logs an error that is a bug; an `AppError` is an answer. */
export function logBug(log: MessagingLogger, error: unknown, pattern: string, correlationId?: string): void {
  if (error instanceof AppError) return;
  log.error(
    { pattern, ...(correlationId !== undefined && { correlationId }), err: error },
    'a request met an unexpected error',
  );
}
