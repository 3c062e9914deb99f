import { AppError } from '@kith/contracts';
import type { MessageHandler } from '@nestjs/microservices';
import type { Redis } from 'ioredis';
import { isObservable, lastValueFrom } from 'rxjs';
import { withinReach } from '../connection.js';
import { withCorrelationId } from '../correlation.js';
import type { MessagingLogger } from '../logger.js';
import type { Burial } from './burial.js';
import { numberOf, type Delivery } from './delivery.js';
import { decodeMessage, type StreamMessage } from './entry.js';
import type { Handled } from './server-options.js';

/** Connection, names and reports that answering requests and hearing events share. */
export interface Handling {
  readonly commands: Redis;
  readonly group: string;
  readonly keyPrefix: string;
  readonly log: MessagingLogger;
  readonly observe: (handled: Handled) => void;
  readonly handlerOf: (pattern: string) => MessageHandler | undefined;
}

/** Reason of a dead letter that ended its process time and again. */
export const DIED = 'the service died while handling it';
export const UNEXPECTED = 'a request met an unexpected error';
/** A restart of Redis takes less. */
const SETTLE_WITHIN_MS = 30_000;

/** Arguments of the command that buries, as the SDK wants them. */
export type XAdd = [string, string, string];

/** Awaits the result of a handler. Nest hands out promises and streams of one value. */
export async function resultOf(handled: Promise<unknown>): Promise<unknown> {
  const result = await handled;
  return isObservable(result) ? lastValueFrom(result, { defaultValue: undefined }) : result;
}

/** Runs a handler on a message, under the correlation id that came with it. */
export function runHandler(handler: MessageHandler, message: StreamMessage): Promise<unknown> {
  return withCorrelationId(message.correlationId, () => resultOf(handler(JSON.parse(message.json))));
}

/** Acknowledges handled work even when Redis is away for a while: else it would be done again. */
export async function settle(
  connection: Redis,
  commands: () => Promise<[Error | null, unknown][] | null>,
): Promise<void> {
  await withinReach(connection, SETTLE_WITHIN_MS, 'acknowledging', async () => {
    for (const [error] of (await commands()) ?? []) if (error) throw error;
  });
}

/** Makes the dead letter of a delivery. */
export function letterOf(service: string, delivery: Delivery, pattern: string, reason: string): Burial {
  const { stream, fields, failures, deaths } = delivery;
  const { json, correlationId } = decodeMessage(fields);
  // A delivery that was given up by its deaths was not handed out again.
  const deliveries = reason === DIED ? failures + deaths : numberOf(delivery);
  return { kind: 'event', stream, pattern, service, json, correlationId, deliveries, error: reason };
}

/** Logs an error that is a bug of ours, and no answer. */
export function logBug(log: MessagingLogger, error: unknown, pattern: string, correlationId?: string): void {
  if (error instanceof AppError) return;
  log.error({ pattern, ...(correlationId !== undefined && { correlationId }), err: error }, UNEXPECTED);
}
