import { gatewayContract, lazy } from '@kith/contracts';
import { withCorrelationId, type Messenger } from '@kith/messaging';
import { ButtonStyle, ComponentType, InteractionContextType, MessageFlags } from 'discord-api-types/v10';
import type {
  ButtonInteraction,
  ChatInputCommandInteraction,
  Interaction,
  InteractionEditReplyOptions,
} from 'discord.js';
import type { MoodCardFacts } from '@kith/mood-card';
import type { Logger } from 'pino';
import type { Cursors } from '../connection/cursors.js';
import type { ConnectionStatus } from '../connection/discord-connection.js';
import { cutText } from '../conversation/clean-text.js';
import type { CommandContext } from './command-context.js';
import { changeSettings, showPersonality, showStatus, showWhy, stopAnswering } from './companion-commands.js';
import { describeError, WITHOUT_REDIS } from './describe-error.js';
import { ERASE_ORDER, eraseMe, planErasure } from './erase-commands.js';
import {
  changeMemory,
  changePrivacy,
  exportMemories,
  forget,
  undoForget,
  listMemories,
  planForget,
  describePerson,
  searchMemories,
} from './memory-commands.js';
import { fitsMessage } from './draw.js';
import { PendingOrders, type PendingOrder } from './pending-orders.js';

const moodCard = lazy('the drawing of moods', () => import('@kith/mood-card'));

/** Discord's limit for the description of a file. */
const MAX_ALT_CHARACTERS = 1_024;

interface Answer {
  content: string;
  components?: InteractionEditReplyOptions['components'];
  files?: InteractionEditReplyOptions['files'];
}

/**
 * Answers slash commands and their buttons, to the person alone. Each is deferred before anything else is
 * asked: Discord gives three seconds for that, then fifteen minutes.
 */
export class CommandDesk {
  private readonly pending = new PendingOrders();
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
      if (interaction.isButton()) await interaction.deferUpdate();
      else await interaction.deferReply({ flags: MessageFlags.Ephemeral });
      const { content, components = [], files = [] } = await this.answerOrApologise(interaction, name);
      // What people and models wrote brings no previews here either.
      await interaction.editReply({ content, components, files, flags: MessageFlags.SuppressEmbeds });
      this.logger.info({ command: name, interactionId: interaction.id }, 'command answered');
    } catch (error) {
      // Only the words of Discord's error: the error itself carries what was to be shown.
      const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
      this.logger.warn({ command: name, interactionId: interaction.id, reason }, 'command not answered');
    }
  }

  private async answerOrApologise(
    interaction: ChatInputCommandInteraction | ButtonInteraction,
    command: string,
  ): Promise<Answer> {
    // Nobody could answer, and who asks need not wait to be told so.
    if (!this.messenger.canAsk) return { content: WITHOUT_REDIS };
    try {
      const context = await this.contextOf(interaction);
      return interaction.isButton()
        ? await this.press(context, interaction)
        : await this.run(context, interaction);
    } catch (error) {
      this.logger.warn({ command, interactionId: interaction.id, err: error }, 'command failed');
      return { content: describeError(error) };
    }
  }

  private async contextOf(interaction: Interaction): Promise<CommandContext> {
    const { user, createdAt, context, channelId, id } = interaction;
    const { personId } = await this.messenger.ask(gatewayContract.person, {
      door: 'discord',
      subject: user.id,
      displayName: cutText(user.displayName, 100),
    });
    if (context === InteractionContextType.BotDM && channelId !== null)
      void this.cursors.opened({ channelId, personId, lastMessageId: id });
    return { messenger: this.messenger, companionId: this.companionId, personId, now: createdAt };
  }

  private async run(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Answer> {
    const { commandName, options } = interaction;
    const subcommand = options.getSubcommand(false);
    switch (subcommand === null ? commandName : `${commandName} ${subcommand}`) {
      case 'companion status':
        return { content: await showStatus(context, this.connection()) };
      case 'companion stop':
        return { content: await stopAnswering(context, interaction) };
      case 'companion erase-me':
        return this.askFirst(interaction, await planErasure(context), ERASE_ORDER, 'Erase me');
      case 'companion why':
        return { content: await showWhy(context) };
      case 'companion settings':
        return {
          content: await changeSettings(
            context,
            {
              outreach: options.getString('outreach'),
              timezone: options.getString('timezone'),
              quietFrom: options.getString('quiet-from'),
              quietUntil: options.getString('quiet-until'),
              dailyCap: options.getInteger('daily-cap'),
              weeklyCap: options.getInteger('weekly-cap'),
              topicsOff: options.getString('topics-off'),
            },
            interaction,
          ),
        };
      case 'memories list':
        return this.showPage(context, options.getInteger('page') ?? 1);
      case 'memories correct': {
        const change = { text: options.getString('text', true) };
        return { content: await changeMemory(context, options.getString('id', true), change) };
      }
      case 'memories pin': {
        const change = { pinned: options.getBoolean('off') !== true };
        return { content: await changeMemory(context, options.getString('id', true), change) };
      }
      case 'memories release': {
        const change = { shelf: 'open' as const };
        return { content: await changeMemory(context, options.getString('id', true), change) };
      }
      case 'memories private':
        return { content: await changePrivacy(context, options.getBoolean('on', true)) };
      case 'memories export': {
        const attachment = Buffer.from(await exportMemories(context));
        return {
          content: 'Everything that is kept about you:',
          files: [{ attachment, name: 'memories.jsonl' }],
        };
      }
      case 'memories about': {
        const page = await describePerson(context);
        return fitsMessage(page)
          ? { content: page }
          : {
              content: 'What I know of you:',
              files: [{ attachment: Buffer.from(page), name: 'about-you.md' }],
            };
      }
      case 'memories search':
        return { content: await searchMemories(context, options.getString('query', true)) };
      case 'memories forget':
        return this.askToForget(context, interaction);
      case 'personality':
        return this.personality(context);
      default:
        return { content: 'This command is no longer known.' };
    }
  }

  private async personality(context: CommandContext): Promise<Answer> {
    const { text, card } = await showPersonality(context);
    return card === null ? { content: text } : { content: text, files: await this.draw(card) };
  }

  /** The card as a file; none where it can't be drawn: the words are there all the same. */
  private async draw(card: MoodCardFacts): Promise<NonNullable<Answer['files']>> {
    try {
      const { drawMoodCard } = await moodCard();
      const { png, alt } = await drawMoodCard(card);
      return [{ attachment: png, name: 'mood.png', description: cutText(alt, MAX_ALT_CHARACTERS) }];
    } catch (error) {
      this.logger.error({ err: error }, 'mood card not drawn');
      return [];
    }
  }

  private async showPage(context: CommandContext, page: number): Promise<Answer> {
    const { text, before, after } = await listMemories(context, page);
    const button = (label: string, to: number | null) =>
      ({
        type: ComponentType.Button,
        style: ButtonStyle.Secondary,
        label,
        custom_id: `list:${label}:${to ?? page}`,
        disabled: to === null,
      }) as const;
    if (before === null && after === null) return { content: text };
    const components = [button('Newer', before), button('Older', after)];
    return { content: text, components: [{ type: ComponentType.ActionRow, components }] };
  }

  private async askToForget(
    context: CommandContext,
    interaction: ChatInputCommandInteraction,
  ): Promise<Answer> {
    const query = interaction.options.getString('query');
    const all = interaction.options.getBoolean('all') ?? false;
    const { text, order } = await planForget(context, { query, all });
    return order === null ? { content: text } : this.askFirst(interaction, text, order, 'Forget');
  }

  /** A question with the button that carries the order out, and one that leaves everything as it is. */
  private askFirst(
    { user }: ChatInputCommandInteraction,
    content: string,
    order: PendingOrder,
    verb: string,
  ): Answer {
    const key = this.pending.keep(user.id, order, Date.now());
    const button = (style: ButtonStyle.Danger | ButtonStyle.Secondary, label: string, choice: string) =>
      ({ type: ComponentType.Button, style, label, custom_id: `forget:${choice}:${key}` }) as const;
    const components = [
      button(ButtonStyle.Danger, verb, 'confirm'),
      button(ButtonStyle.Secondary, 'Keep', 'cancel'),
    ];
    return { content, components: [{ type: ComponentType.ActionRow, components }] };
  }

  private async press(context: CommandContext, { customId, user }: ButtonInteraction): Promise<Answer> {
    const [kind, choice, key = ''] = customId.split(':');
    if (kind === 'list') return this.showPage(context, Number(key) || 1);
    if (kind === 'undo') return { content: await undoForget(context, key) };
    if (kind !== 'forget') return { content: 'This button is no longer known.' };
    const order = this.pending.take(key, user.id, Date.now());
    if (choice !== 'confirm') return { content: 'Nothing was forgotten.' };
    if (!order) return { content: 'That was too long ago, so nothing was forgotten. Please ask again.' };
    if (order.kind === 'erase-me') return { content: await eraseMe(context) };
    const { text, receipt } = await forget(context, order);
    if (receipt === null) return { content: text };
    const undo = {
      ...{ type: ComponentType.Button, style: ButtonStyle.Secondary },
      ...{ label: 'Undo', custom_id: `undo:take:${receipt}` },
    } as const;
    return { content: text, components: [{ type: ComponentType.ActionRow, components: [undo] }] };
  }
}
