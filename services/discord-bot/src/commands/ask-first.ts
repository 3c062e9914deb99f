import { ButtonStyle, ComponentType } from 'discord-api-types/v10';
import type { Answer, Command, CommandContext, Order } from './command.js';

/** Asks before something goes: one button carries it out, the other leaves everything as it is. */
export function askFirst(
  { pending, userId }: CommandContext,
  content: string,
  verb: string,
  carryOut: Order,
): Answer {
  const key = pending.keep(userId, carryOut, Date.now());
  const button = (style: ButtonStyle.Danger | ButtonStyle.Secondary, label: string, choice: string) =>
    ({ type: ComponentType.Button, style, label, custom_id: `forget:${choice}:${key}` }) as const;
  const components = [
    button(ButtonStyle.Danger, verb, 'confirm'),
    button(ButtonStyle.Secondary, 'Keep', 'cancel'),
  ];
  return { content, components: [{ type: ComponentType.ActionRow, components }] };
}

/** The buttons of `askFirst`, whichever command asked. */
export const confirmButton: NonNullable<Command['buttons']> = {
  forget: async (context, { choice, key }) => {
    const carryOut = context.pending.take(key, context.userId, Date.now());
    if (choice !== 'confirm') return { content: 'Nothing was forgotten.' };
    if (!carryOut) return { content: 'That was too long ago, so nothing was forgotten. Please ask again.' };
    return carryOut(context);
  },
};
