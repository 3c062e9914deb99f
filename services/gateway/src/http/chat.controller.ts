import { AppError, chatRoutes, ErrorCode, type ChatEvent, type TurnView } from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { ChatRunner } from '../intake/chat-runner.js';
import { Serves, type RouteCall } from './serves.js';

@Controller()
export class ChatController {
  constructor(private readonly chat: ChatRunner) {}

  @Serves(chatRoutes.say)
  async onSay({ caller, body }: RouteCall<typeof chatRoutes.say>) {
    const { stream, ...input } = body;
    const events = this.chat.run(caller, 'http', input);
    return stream ? events : endOf(events);
  }

  @Serves(chatRoutes.stop)
  async onStop({ caller, body }: RouteCall<typeof chatRoutes.stop>) {
    return { stopped: await this.chat.stop(caller, body) };
  }
}

/** Waits for the turn's end. A client that goes away does not stop it. */
async function endOf(events: AsyncIterable<ChatEvent>): Promise<TurnView> {
  for await (const event of events) {
    if (event.type === 'done') return event.turn;
    // With its code, by which a caller decides whether to send the same again.
    if (event.type === 'error') throw new AppError(ErrorCode.parse(event.problem.code), event.problem.detail);
  }
  throw new AppError('internal', 'a chat ended without an outcome');
}
