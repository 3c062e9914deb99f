import { Body, Controller, HttpCode, Post, Res } from '@nestjs/common';
import { AppError, ChatRequest, StopRequest, type ChatEvent, type StopResult } from '@kith/contracts';
import type { Response } from 'express';
import type { z } from 'zod';
import type { Caller } from '../people/api-keys.js';
import { Needs, TheCaller } from './api-key.guard.js';
import { Chat } from './chat.service.js';
import { Parse } from './parse-input.js';
import { problemOf, toAppError } from './problem-details.js';

@Controller('v1/chat')
export class ChatController {
  constructor(private readonly chat: Chat) {}

  @Post()
  @HttpCode(200)
  @Needs('chat')
  async onChat(
    @TheCaller() caller: Caller,
    @Body(new Parse(ChatRequest)) body: z.output<typeof ChatRequest>,
    @Res() response: Response,
  ): Promise<void> {
    const { stream, ...input } = body;
    const events = this.chat.run(caller, 'http', input);
    if (stream) return streamEvents(events, response);
    for await (const event of events) {
      if (event.type === 'done') {
        response.json(event.turn);
        return;
      }
      if (event.type === 'error') throw new AppError('unavailable', event.problem.detail);
    }
  }

  @Post('stop')
  @HttpCode(200)
  @Needs('chat')
  async onStop(
    @TheCaller() caller: Caller,
    @Body(new Parse(StopRequest)) thread: z.output<typeof StopRequest>,
  ): Promise<z.output<typeof StopResult>> {
    return { stopped: await this.chat.stop(caller, thread) };
  }
}

/**
 * Server-sent events. What is refused before the first event is an ordinary problem response; after it the
 * status is out, so a problem is an event. A client that goes away does not stop its turn.
 */
async function streamEvents(events: AsyncGenerator<ChatEvent>, response: Response): Promise<void> {
  const first = await events.next();
  response.status(200).set({
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
  });
  const send = (event: ChatEvent) =>
    response.write(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
  try {
    if (!first.done) send(first.value);
    for await (const event of events) {
      if (response.closed) break;
      send(event);
    }
  } catch (error) {
    send({ type: 'error', problem: problemOf(toAppError(error)) });
  }
  response.end();
}
