import { Readable } from 'node:stream';
import type { Problem } from '@kith/contracts';
import { StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { problemOf, toAppError } from '../entrance/problem-details.js';

interface Event {
  type: string;
  problem?: Problem;
}

/**
 * Answers with server-sent events. A refusal before the first event is an ordinary problem response; after it the
 * status is sent, so a problem is an event. A client that goes away ends the stream, but not the turn.
 */
export async function streamEvents(
  events: AsyncIterable<Event>,
  response: Response,
): Promise<StreamableFile> {
  const iterator = events[Symbol.asyncIterator]();
  const first = await iterator.next();
  response.set({ 'Cache-Control': 'no-store', 'X-Accel-Buffering': 'no' });
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
  return new StreamableFile(stream, { type: 'text/event-stream; charset=utf-8' });
}

function written(event: Event): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}
