import { AppError, discordContract, type PayloadOutput } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { DiscordApi } from '../rest/discord-api.js';
import { classifyFailure } from './classify-failure.js';

/**
 * Deletes messages of ours. Whatever Discord refuses may be allowed again, as once somebody gives back a permission: a job
 * for each such message tries it for days. One that is given up is in the log, and `kith dead list` shows it.
 */
export class Deletions {
  constructor(
    private readonly messenger: Pick<Messenger, 'enqueue' | 'jobs'>,
    private readonly api: Pick<DiscordApi, 'deleteMessage'>,
    private readonly logger: Pick<Logger, 'info' | 'warn'>,
  ) {}

  /** Deletes messages, now or later. @throws AppError if what is left can't be ordered */
  async remove(channelId: string, messageIds: Iterable<string>): Promise<void> {
    for (const messageId of messageIds) {
      const reason = await this.refusalOf(channelId, messageId);
      if (reason === null) continue;
      this.logger.warn({ channelId, messageId, reason }, 'message not deleted yet; trying again for days');
      const delayMs = discordContract.deleteMessage.backoffMs;
      await this.messenger.enqueue(discordContract.deleteMessage, { channelId, messageId }, { delayMs });
    }
  }

  /** Leaves out messages that are still to be deleted: none of them can stand for a part of a reply. */
  async notToBeDeleted<Message extends { id: string }>(messages: readonly Message[]): Promise<Message[]> {
    const ids = messages.map(({ id }) => id);
    const areToBeDeleted = await this.messenger.jobs.knownAmong(discordContract.deleteMessage, ids);
    return messages.filter((_, at) => areToBeDeleted[at] !== true);
  }

  /** Makes one more try. @throws AppError if Discord still refuses */
  async tryAgain({
    channelId,
    messageId,
  }: PayloadOutput<typeof discordContract.deleteMessage>): Promise<void> {
    const reason = await this.refusalOf(channelId, messageId);
    if (reason !== null)
      throw new AppError(
        'unavailable',
        `message ${messageId} in channel ${channelId} not deleted: ${reason}`,
      );
    this.logger.info({ channelId, messageId }, 'message deleted at a later try');
  }

  /** Tries to delete a message. Returns why Discord refused; null where the message is gone. */
  private async refusalOf(channelId: string, messageId: string): Promise<string | null> {
    try {
      await this.api.deleteMessage(channelId, messageId);
      return null;
    } catch (error) {
      return classifyFailure(error).reason;
    }
  }
}
