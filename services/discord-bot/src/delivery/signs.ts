import { DAY_MS, reasonOf } from '@kith/contracts';
import type { Logger } from 'pino';
import type { DiscordApi } from '../rest/discord-api.js';
import type { Reach } from '../places/reach.js';
import { planSigns, type SignKind, type UndeliveredCause } from './plan-signs.js';

/** The message that can't be answered in its place. */
export interface UnansweredMessage {
  channelId: string;
  messageId: string;
  userId: string;
}

/** A speaker that is crossed out. */
const CANNOT_SPEAK = '🔇';
/** Time for which a person gets no second DM about the same place. */
const TOLD_FOR_MS = DAY_MS;
/** Most such DMs remembered: some 1 MB. Beyond that all are dropped, and may be sent again. */
const MAX_TOLD = 10_000;

const REASONS: Partial<Record<UndeliveredCause, (place: string) => string>> = {
  'no permission': (place) =>
    `I can't write in ${place}, so I could not answer you there. Whoever looks after that server can let me: I need Send Messages there.`,
  moderated: (place) => `My answer to you in ${place} was blocked by the moderation of that server.`,
  'place gone': () => 'The place where you wrote to me is gone, so my answer did not reach you.',
};

/** Tells people that their message was heard, where it can't be answered in its place. */
export class Signs {
  /** By person and place: time until which they need not be told again. */
  private readonly told = new Map<string, number>();

  constructor(
    private readonly api: Pick<DiscordApi, 'react' | 'openDm' | 'createMessage'>,
    private readonly reach: (channelId: string) => Reach | null,
    private readonly logger: Logger,
  ) {}

  /** Never throws: where no sign can be given there is silence. */
  async give(message: UnansweredMessage, cause: UndeliveredCause): Promise<void> {
    const { channelId, messageId, userId } = message;
    const key = `${userId} ${channelId}`;
    const plan = planSigns({
      cause,
      canReact: this.reach(channelId)?.canReact ?? null,
      wasTold: (this.told.get(key) ?? 0) > Date.now(),
    });
    let given: SignKind | 'silence' = 'silence';
    for (const sign of plan) {
      try {
        if (sign === 'reaction') await this.api.react(channelId, messageId, CANNOT_SPEAK);
        else await this.write(message, cause);
        given = sign;
        break;
      } catch (error) {
        this.logger.debug({ channelId, sign, reason: reasonOf(error) }, 'sign not given');
      }
    }
    this.logger.info({ channelId, messageId, cause, sign: given }, 'message can’t be answered in its place');
  }

  private async write({ channelId, messageId, userId }: UnansweredMessage, cause: UndeliveredCause) {
    const key = `${userId} ${channelId}`;
    // Noted first: a DM that is refused is not to be tried for each message.
    if (this.told.size >= MAX_TOLD) this.told.clear();
    this.told.set(key, Date.now() + TOLD_FOR_MS);
    const dm = await this.api.openDm(userId);
    const content = REASONS[cause]?.(`<#${channelId}>`) ?? 'I could not answer you.';
    await this.api.createMessage(dm, { content, nonce: messageId, replyTo: undefined });
  }
}
