import { AppError, gatewayContract, type ResponseOutput } from '@kith/contracts';
import type { Messenger } from '@kith/messaging';
import type { Logger } from 'pino';
import type { DiscordApi } from '../rest/discord-api.js';
import { classifyFailure, type SendFailure } from './classify-failure.js';
import { nonceOf } from './nonce-of.js';

type Notice = NonNullable<ResponseOutput<typeof gatewayContract.keyNotice>['notice']>;

/** Tells people by DM of keys that operators made to act as them. */
export class KeyNotices {
  constructor(
    private readonly messenger: Pick<Messenger, 'ask'>,
    private readonly api: Pick<DiscordApi, 'openDm' | 'createMessage'>,
    /** Tells why nothing can be sent right now; undefined when it can. */
    private readonly standstill: () => SendFailure | undefined,
    private readonly logger: Logger,
  ) {}

  /** Tells a person of a new key; may be repeated. People who take no DMs find it among their keys. @throws AppError to be tried again */
  async tell(keyId: string): Promise<void> {
    const { notice } = await this.messenger.ask(gatewayContract.keyNotice, { keyId });
    if (!notice) return;
    const failure = this.standstill() ?? (await this.send(keyId, notice));
    if (!failure) this.logger.info({ keyId }, 'person told of a key');
    else if (failure.kind === 'retry' || failure.passes) throw new AppError('unavailable', failure.reason);
    else this.logger.warn({ keyId, reason: failure.reason }, 'person not told of a key');
  }

  private async send(keyId: string, notice: Notice): Promise<SendFailure | undefined> {
    try {
      const dm = await this.api.openDm(notice.discordUserId);
      await this.api.createMessage(dm, {
        content: wordsOf(notice),
        nonce: nonceOf(keyId, 0),
        replyTo: undefined,
      });
      return undefined;
    } catch (error) {
      return classifyFailure(error);
    }
  }
}

function wordsOf({ name, reason, scopes, madeAt }: Notice): string {
  const day = Math.floor(Date.parse(madeAt) / 1_000);
  // Older keys may hold a scope many times, and Discord refuses long messages.
  const rights = [...new Set(scopes)].join(', ');
  return [
    `An operator of this Kith made a key on <t:${day}:f> that acts as you. It may: ${rights}.`,
    `It is called “${name}”. The reason they gave: “${reason}”`,
    'Whoever has it reads what you told me in private. If you did not expect this, ask whoever runs this Kith.',
  ].join('\n');
}
