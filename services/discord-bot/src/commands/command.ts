import type { Messenger } from '@kith/messaging';
import type { APIApplicationCommandBasicOption } from 'discord-api-types/v10';
import type { ChatInputCommandInteraction, InteractionEditReplyOptions } from 'discord.js';
import type { Logger } from 'pino';
import type { ConnectionStatus } from '../rest/connection-status.js';
import type { PendingOrders } from './pending-orders.js';

/** Context of a command: the person who asks, the companion, the time. */
export interface CommandContext {
  messenger: Messenger;
  companionId: string;
  personId: string;
  /** Discord's id of who asks. */
  userId: string;
  now: Date;
  connection: ConnectionStatus;
  /** Orders that wait for their button. */
  pending: PendingOrders<Order, Answer>;
  logger: Logger;
}

/** Action of a button, once it is pressed. */
export type Order = (context: CommandContext) => Promise<Answer>;

/** Answer that only the person who asked sees. */
export type Answer = Pick<InteractionEditReplyOptions, 'components' | 'files'> & { content: string };

/** A press of a button: `custom_id` is `kind:choice:key`. */
export interface Press {
  choice: string;
  key: string;
}

/** A slash command, or a subcommand of a group: how Discord shows it, and what it does. */
export interface Command {
  name: string;
  /** One line, 100 characters at most. */
  description: string;
  options?: APIApplicationCommandBasicOption[];
  run(context: CommandContext, interaction: ChatInputCommandInteraction): Promise<Answer>;
  /** Actions of the buttons under its answers, by their kind. */
  buttons?: Readonly<Record<string, (context: CommandContext, press: Press) => Promise<Answer>>>;
}

/** Subcommands under one name: `/companion status`. */
export interface CommandGroup {
  name: string;
  description: string;
  commands: readonly Command[];
}
