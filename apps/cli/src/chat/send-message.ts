import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { chatRoutes, type TurnView } from '@kith/contracts';
import { ConnectionLost, NothingAnswers, PartDown } from '../suite/api-client.js';
import type { CommandContext } from '../suite/command-context.js';
import { ReplyLate, ReplyPrinter } from './reply-printer.js';

/** Companion and thread of a chat. */
export interface ChatPlace {
  /** Undefined for the default one, while nobody knows which that is. */
  companionId: string | undefined;
  companionName: string;
  conversation: string;
}

/** Tries after a broken connection: a restarting gateway is back in seconds. */
const MAX_TRIES = 6;
const WAIT_MS = 1_000;
/** Tries after a late reply. Each waits as long as the gateway does: minutes. */
const MAX_LATE_TRIES = 2;

/**
 * Sends a message and prints its reply. When the connection breaks after the message went out, the gateway starts anew,
 * or the reply is late, it is sent again under the same id, which asks for the same reply.
 */
export async function sendMessage(
  { api, terminal }: CommandContext,
  place: ChatPlace,
  message: string,
  signal: AbortSignal,
): Promise<TurnView> {
  const messageId = `cli-${randomUUID()}`;
  const { companionId: companion, conversation } = place;
  const body = { message, companion, conversation, messageId, stream: true };
  const printer = new ReplyPrinter(terminal, place.companionName);
  let isOut = false;
  for (let tries = 1; ; tries += 1) {
    try {
      for await (const event of api.follow(chatRoutes.say, { body }, signal)) {
        isOut = true;
        const turn = printer.show(event);
        if (turn) return turn;
      }
      throw new ConnectionLost('the connection ended before the reply');
    } catch (error) {
      printer.stop();
      isOut ||= error instanceof ConnectionLost && !(error instanceof NothingAnswers);
      const isLate = error instanceof ReplyLate;
      const mayPass = isLate || error instanceof ConnectionLost || error instanceof PartDown;
      const most = isLate ? MAX_LATE_TRIES : MAX_TRIES;
      if (!mayPass || !isOut || tries >= most) throw error;
      const why = isLate ? 'no reply yet' : 'the connection broke';
      terminal.note(`(${why}; asking for the reply again)`);
      await sleep(WAIT_MS, undefined, { signal });
    }
  }
}
