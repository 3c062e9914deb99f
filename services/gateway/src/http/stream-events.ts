import { finished, Readable } from 'node:stream';
import type { Problem } from '@kith/contracts';
import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { HeldBudget } from '../entrance/held-budget.js';
import { problemOf, toAppError } from '../entrance/problem-details.js';
import { countedAs, type Caller } from '../people/caller.js';

/** Time without a byte: proxies close what is idle for half a minute, and a live client reads at once. */
const MAX_IDLE_MS = 25_000;
/** Streams that one key may have open: as many as its WebSockets. */
const STREAMS_PER_KEY = 20;
const open = new HeldBudget('this key has too many streams open: read or close one first', STREAMS_PER_KEY);

interface Event {
  type: string;
  problem?: Problem;
}

/**
 * Answers with server-sent events. A refusal before the first event is an ordinary problem response; after it the
 * status is sent, so a problem is an event. A client that goes away, or reads nothing of what waits for it, ends the
 * stream, but not the turn. While no event comes, comments show proxies that the connection is in use.
 * @throws AppError `rate_limited` for a caller who has too many open, before anything is done
 */
export async function streamEvents(
  events: AsyncIterable<Event>,
  response: Response,
  caller: Caller,
): Promise<StreamableFile> {
  finished(response, open.take(countedAs(caller), 1));
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.setHeader('X-Accel-Buffering', 'no');
  const rest = { [Symbol.asyncIterator]: () => iterator };
  const text = async function* () {
    if (first.done) return;
    yield written(first.value);
    try {
      for await (const event of rest) yield written(event);
    } catch (error) {
      yield written({ type: 'error', problem: problemOf(toAppError(error)) });
    }
  };
  const stream = Readable.from(text());
  // Ends the events also where the client left before `text` began, which then returns without touching them.
  stream.once('close', () => void iterator.return?.());
  response.setTimeout(MAX_IDLE_MS, () => {
    // Unread events hold back the next ones, and so the deadline that is checked between them.
    if (response.writableLength > 0) response.destroy();
    // A model may think for minutes before its first word.
    else if (!response.writableEnded) response.write(':\n\n');
  });
  return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
}

function written(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
