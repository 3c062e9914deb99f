import { ButtonStyle } from 'discord-api-types/v10';
import { buttonRow } from '../../rest/button-row.js';
import type { Answer, Command, CommandContext } from '../command.js';
import { countOption } from '../options.js';
import { describeList } from './memory-words.js';
import { newestMemories, SHOWN } from './own-memories.js';

/** Lists what is kept about the person, a page at a time, with buttons to turn it. */
export const list: Command = {
  name: 'list',
  description: 'What is kept about you, the newest first',
  options: [countOption('page', 'Which page', 1)],
  run: (context, { options }) => showPage(context, options.getInteger('page') ?? 1),
  buttons: { list: (context, { key }) => showPage(context, Number(key) || 1) },
};

async function showPage(context: CommandContext, asked: number): Promise<Answer> {
  const { memories, total } = await newestMemories(context, asked * SHOWN);
  const pages = Math.max(1, Math.ceil(total / SHOWN));
  const page = Math.min(asked, pages);
  const content = describeList(memories.slice((page - 1) * SHOWN, page * SHOWN), { page, pages, total });
  if (pages === 1) return { content };
  const button = (label: string, to: number) =>
    ({
      style: ButtonStyle.Secondary,
      label,
      custom_id: `list:${label}:${Math.min(Math.max(to, 1), pages)}`,
      disabled: to < 1 || to > pages,
    }) as const;
  return { content, components: [buttonRow(button('Newer', page - 1), button('Older', page + 1))] };
}
