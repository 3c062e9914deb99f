import {
  AppError,
  chatRoutes,
  ErrorCode,
  type ChatEvent,
  type Problem,
  type TurnView,
} from '@kith/contracts';
import { Controller } from '@nestjs/common';
import { ChatService } from '../intake/chat.service.js';
import { Serves, type RouteCall } from './serves.js';

@Controller()
export class ChatController {
  constructor(private readonly chat: ChatService) {}

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
    if (event.type === 'error') throw errorOf(event.problem);
  }
  throw new AppError('internal', 'a chat ended without an outcome');
}

/** The code goes on with the words: by it a caller decides whether to send the same again. */
function errorOf({ code, detail }: Problem): AppError {
  return new AppError(ErrorCode.parse(code), detail);
}
