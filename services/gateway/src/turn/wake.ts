import { gatewayContract } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';

/** Later than the pause itself, so that the pause is over for sure when the job looks. */
const MARGIN_MS = 30;

/**
 * Wakes a worker for an accepted message. Redis only wakes: when it is down the message stays accepted, and
 * the sweeper finds it.
 */
export async function wakeWorker(
  parts: { messenger: Messenger; logger: Logger },
  message: { conversationId: string; inboxId: string },
  debounceMs: number,
): Promise<void> {
  try {
    await parts.messenger.enqueue(
      gatewayContract.takeTurn,
      message,
      debounceMs > 0 ? { delayMs: debounceMs + MARGIN_MS } : {},
    );
  } catch (error) {
    parts.logger.error({ err: error, ...message }, 'no worker woken, the sweeper will find the message');
  }
}
