import { ButtonStyle } from 'discord-api-types/v10';
import { buttonRow } from '../rest/button-row.js';
import type { Answer, Command, CommandContext, Order } from './command.js';

/** Asks for confirmation: one button carries the order out, the other changes nothing. */
export function askFirst(
  { pending, userId }: CommandContext,
  content: string,
  verb: string,
  carryOut: Order,
): Answer {
  const key = pending.keep(userId, carryOut, Date.now());
  const row = buttonRow(
    { style: ButtonStyle.Danger, label: verb, custom_id: `forget:confirm:${key}` },
    { style: ButtonStyle.Secondary, label: 'Keep', custom_id: `forget:cancel:${key}` },
  );
  return { content, components: [row] };
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
