import { Controller } from '@nestjs/common';
import { discordContract, gatewayContract, type PayloadOutput } from '@kith/contracts';
import { Answers, Hears, Works } from '@kith/messaging';
import { DiscordConnection, type ConnectionStatus } from './connection/discord-connection.js';
import { Typing } from './conversation/typing.js';
import { Delivery } from './delivery/delivery.js';

@Controller()
export class DiscordBotController {
  constructor(
    private readonly connection: DiscordConnection,
    private readonly delivery: Delivery,
    private readonly typing: Typing,
  ) {}

  @Works(discordContract.deliver)
  onDeliver({ outboxId }: PayloadOutput<typeof discordContract.deliver>): Promise<void> {
    return this.delivery.deliver(outboxId);
  }

  @Answers(discordContract.status)
  onStatus(): ConnectionStatus {
    return this.connection.status();
  }

  @Hears(gatewayContract.turnEnded)
  onTurnEnded(turn: PayloadOutput<typeof gatewayContract.turnEnded>): void {
    this.typing.turnEnded(turn);
  }
}
