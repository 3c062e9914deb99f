import { AppError, chatRoutes, ErrorCode, type ChatEvent, type TurnView } from '@kith/contracts';
import { serveRoutes } from './serve-routes.js';

export const ChatController = serveRoutes(chatRoutes, ({ chat }) => ({
  say: ({ caller, body: { stream, ...input } }) => {
    const events = chat.run(caller, 'http', input);
    return stream ? events : endOf(events);
  },
  stop: async ({ caller, body }) => ({ stopped: await chat.stop(caller, body) }),
}));

/** Waits for the turn's end. A client that goes away does not stop it. */
async function endOf(events: AsyncIterable<ChatEvent>): Promise<TurnView> {
  for await (const event of events) {
    if (event.type === 'done') return event.turn;
    // With its code, by which a caller decides whether to send the same again.
    if (event.type === 'error') throw new AppError(ErrorCode.parse(event.problem.code), event.problem.detail);
  }
  throw new AppError('internal', 'a chat ended without an outcome');
}
