import { Controller } from '@nestjs/common';
import { discordContract, gatewayContract, type PayloadOutput, type RequestOutput } from '@kith/contracts';
import { PersonRows } from '@kith/database';
import { Answers, Hears, Works } from '@kith/messaging';
import { DiscordConnection } from './connection/discord-connection.js';
import type { ConnectionStatus } from './rest/connection-status.js';
import { Typing } from './delivery/typing.js';
import { LiveReplies } from './delivery/live-replies.js';
import { Delivery } from './delivery/delivery.js';
import { KeyNotices } from './delivery/key-notices.js';

@Controller()
export class DiscordBotController {
  constructor(
    private readonly connection: DiscordConnection,
    private readonly delivery: Delivery,
    private readonly keyNotices: KeyNotices,
    private readonly typing: Typing,
    private readonly live: LiveReplies,
    private readonly people: PersonRows,
  ) {}

  @Works(discordContract.deliver)
  onDeliver({ outboxId }: PayloadOutput<typeof discordContract.deliver>): Promise<void> {
    return this.delivery.deliver(outboxId);
  }

  @Works(discordContract.tellOfKey)
  onTellOfKey({ keyId }: PayloadOutput<typeof discordContract.tellOfKey>): Promise<void> {
    return this.keyNotices.tell(keyId);
  }

  @Answers(discordContract.status)
  onStatus(): ConnectionStatus {
    return this.connection.status();
  }

  @Answers(discordContract.erase)
  async onErase({ personId, preview }: RequestOutput<typeof discordContract.erase>) {
    if (!preview) {
      await this.live.takeBackFrom(personId);
      await this.people.erase(personId);
    }
    return { holdings: await this.people.count(personId) };
  }

  @Hears(gatewayContract.turnEnded)
  async onTurnEnded(turn: PayloadOutput<typeof gatewayContract.turnEnded>): Promise<void> {
    this.typing.turnEnded(turn);
    const isReplied = turn.outcome === 'answered' || turn.outcome === 'apologised';
    if (turn.door === 'discord' && !isReplied) await this.live.takeBack(turn.turnId);
  }
}
