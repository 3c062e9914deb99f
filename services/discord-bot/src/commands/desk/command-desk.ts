import { gatewayContract } from '@kith/contracts';
import { withCorrelationId, type Messenger } from '@kith/messaging';
import { InteractionContextType, MessageFlags } from 'discord-api-types/v10';
import type { ButtonInteraction, ChatInputCommandInteraction, Interaction } from 'discord.js';
import type { Logger } from 'pino';
import { identityOf } from '../../events/identity-of.js';
import type { Cursors } from '../../places/cursors.js';
import type { ConnectionStatus } from '../../rest/connection-status.js';
import { answerPress, CONFIRMATION } from '../ask-first.js';
import type { Answer, CommandContext, Order } from '../command.js';
import { buttonOf, commandNamed } from './commands.js';
import { codeOf } from '../../rest/code-of.js';
import { describeError, WITHOUT_REDIS } from '../describe-error.js';
import { PendingOrders } from '../pending-orders.js';

/**
 * Answers slash commands and their buttons, to the person alone. Each is deferred before anything else is
 * asked: Discord gives three seconds for that, then fifteen minutes.
 */
export class CommandDesk {
  private readonly pending = new PendingOrders<Order, Answer>();
  private readonly inWork = new Set<Promise<void>>();

  constructor(
    private readonly messenger: Messenger,
    private readonly companionId: string,
    private readonly connection: () => ConnectionStatus,
    private readonly cursors: Pick<Cursors, 'opened'>,
    private readonly logger: Logger,
  ) {}

  take(interaction: Interaction): void {
    if (!interaction.isChatInputCommand() && !interaction.isButton()) return;
    const work = withCorrelationId(`discord-${interaction.id}`, () => this.serve(interaction));
    this.inWork.add(work);
    void work.finally(() => this.inWork.delete(work));
  }

  async drain(): Promise<void> {
    await Promise.all(this.inWork);
  }

  /** Never throws: an interaction that can't be answered any more ends in a log line. */
  private async serve(interaction: ChatInputCommandInteraction | ButtonInteraction): Promise<void> {
    const name = interaction.isButton() ? 'button' : interaction.commandName;
    try {
      // A button under a reply leaves the reply as it is: its answer is for whoever pressed it alone.
      const isOwnScreen = interaction.isButton() && interaction.message.flags.has(MessageFlags.Ephemeral);
      if (interaction.isButton() && isOwnScreen) await interaction.deferUpdate();
      else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      const { content, components = [], files = [] } = await this.answerOrApologise(interaction, name);
      await interaction
        // No link previews: people and models wrote parts of this.
        .editReply({ content, components, files, flags: MessageFlags.SuppressEmbeds })
        .catch(async (error: unknown) => {
          // Discord refused the answer. Without any it shows "thinking…" for a quarter of an hour.
          if (typeof codeOf(error) === 'number')
            await interaction.editReply({ content: describeError(error), components: [], files: [] });
          throw error;
        });
      this.logger.info({ command: name, interactionId: interaction.id }, 'command answered');
    } catch (error) {
      // Only the words of Discord's error: the error itself carries the answer that was to be shown.
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.logger.warn({ command: name, interactionId: interaction.id, reason }, 'command not answered');
    }
  }

  private async answerOrApologise(
    interaction: ChatInputCommandInteraction | ButtonInteraction,
    command: string,
  ): Promise<Answer> {
    // No service could answer: say so at once.
    if (!this.messenger.canAsk) return { content: WITHOUT_REDIS };
    try {
      return await (interaction.isButton()
        ? this.press(interaction)
        : run(await this.contextOf(interaction), interaction));
    } catch (error) {
      this.logger.warn({ command, interactionId: interaction.id, err: error }, 'command failed');
      return { content: describeError(error) };
    }
  }

  private async press(interaction: ButtonInteraction): Promise<Answer> {
    const [kind = '', choice = '', key = ''] = interaction.customId.split(':');
    const contextOf = () => this.contextOf(interaction);
    if (kind === CONFIRMATION)
      return answerPress(this.pending, interaction.user.id, { choice, key }, contextOf);
    const button = buttonOf(kind);
    return button
      ? button(await contextOf(), { choice, key })
      : { content: 'This button is no longer known.' };
  }

  private async contextOf(interaction: Interaction): Promise<CommandContext> {
    const { user, createdAt, context, channelId, id } = interaction;
    const identity = identityOf(user.id, user.displayName);
    const { personId } = await this.messenger.ask(gatewayContract.person, identity);
    if (context === InteractionContextType.BotDM && channelId !== null)
      void this.cursors.opened({ channelId, personId, lastMessageId: id });
    const { messenger, companionId, pending, logger } = this;
    const connection = this.connection();
    return { messenger, companionId, personId, userId: user.id, now: createdAt, connection, pending, logger };
  }
}

async function run(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Answer> {
  const command = commandNamed(interaction.commandName, interaction.options.getSubcommand(false));
  return command ? command.run(context, interaction) : { content: 'This command is no longer known.' };
}
