import { ButtonStyle } from 'discord-api-types/v10';
import { buttonRow } from '../rest/button-row.js';
import type { Answer, CommandContext, Order, Press } from './command.js';

/** Kind of the buttons of `askFirst`, whichever command asked. */
export const CONFIRMATION = 'forget';

/** Asks for confirmation: one button carries the order out, the other changes nothing. */
export function askFirst(
  { pending, userId }: CommandContext,
  content: string,
  verb: string,
  carryOut: Order,
): Answer {
  const key = pending.keep(userId, carryOut, Date.now());
  const row = buttonRow(
    { style: ButtonStyle.Danger, label: verb, custom_id: `${CONFIRMATION}:confirm:${key}` },
    { style: ButtonStyle.Secondary, label: 'Keep', custom_id: `${CONFIRMATION}:cancel:${key}` },
  );
  return { content, components: [row] };
}

/**
 * Answers a press of a button of `askFirst`: the first press decides, since the order may be under way with the next.
 * @param contextOf asked only to carry the order out: it would note a person anew who was erased with an earlier press
 */
export async function answerPress(
  pending: CommandContext['pending'],
  userId: string,
  { choice, key }: Press,
  contextOf: () => Promise<CommandContext>,
): Promise<Answer> {
  const answer = pending.decide(key, userId, Date.now(), async (carryOut) =>
    choice === 'confirm' ? carryOut(await contextOf()) : { content: 'Nothing was forgotten.' },
  );
  return answer ?? { content: 'That was too long ago, so nothing was forgotten. Please ask again.' };
}
