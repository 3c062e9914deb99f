import {
  cutText,
  gatewayContract,
  ToolAnswer,
  type ToolOutcome,
  type ToolQuestion,
  type ToolView,
  visibleJson,
} from '@kith/contracts';
import type { ChatInputCommandInteraction } from 'discord.js';
import { MAX_BUTTON_ROWS, toolButtons } from '../../delivery/tool-buttons.js';
import type { Command, CommandContext } from '../command.js';
import { fitLines, shortLine } from '../fitted-text.js';

/** Characters of a tool's description in the list: with its name a line or two, so that some fifteen tools fit a message. */
const MAX_DESCRIPTION = 80;
/** Characters of a result that are shown: with the words around it they fit Discord's 2,000. */
const MAX_RESULT = 1_500;

/** Line below the questions where not all of them are shown. */
const MORE_WAITS = 'More waits: answer these first.';

/** Lists what the companion may use here, and the questions that wait, with their buttons. */
export const tools: Command = {
  name: 'tools',
  description: 'Tools the companion may use for you here, and what waits for your yes',
  run: async ({ messenger, personId, companionId }, interaction) => {
    const place = placeOf(interaction);
    const { tools, questions } = await messenger.ask(gatewayContract.tools, { personId, companionId, place });
    return showTools(tools, questions);
  },
  buttons: {
    tool: async (context, { choice, key }) => {
      if (choice === 'see') return seeAll(context, key);
      const { messenger, personId } = context;
      const answer = ToolAnswer.parse(choice);
      const outcome = await messenger.ask(gatewayContract.answerTool, { personId, questionId: key, answer });
      return { content: describeOutcome(outcome) };
    },
  },
};

/** Shows a question with all its arguments as a file, and its buttons again. */
async function seeAll({ messenger, personId, companionId }: CommandContext, questionId: string) {
  const place = { server: null, channel: null, roles: [] };
  const { questions } = await messenger.ask(gatewayContract.tools, { personId, companionId, place });
  const question = questions.find(({ id }) => id === questionId);
  // In a channel anybody may press it.
  if (!question)
    return { content: 'No such question waits for you: it was answered, is too old, or is not yours.' };
  const attachment = Buffer.from(visibleJson(question.arguments, 2));
  return {
    content: fitLines([question.text, '', 'All of it, as it would be sent, is in the file.']),
    components: toolButtons([question]),
    files: [{ attachment, name: 'arguments.txt' }],
  };
}

/** Server, channel and roles of who asks. */
function placeOf({ guildId, channelId, channel, member }: ChatInputCommandInteraction) {
  const roles = member?.roles;
  return {
    server: guildId,
    channel: guildId === null ? null : channelId,
    threadOf: channel?.isThread() === true ? channel.parentId : null,
    roles: Array.isArray(roles) ? roles : [...(roles?.cache.keys() ?? [])],
  };
}

/** Shows tools below the questions that wait. Only a question that is shown whole has buttons. */
export function showTools(tools: readonly ToolView[], questions: readonly ToolQuestion[]) {
  const usable = tools.filter(({ permission }) => permission === 'allowed');
  const asked = countFitting(questions);
  const shown = questions.slice(0, asked);
  const lines = [
    ...shown.map(({ text }) => text),
    ...(asked < questions.length ? [MORE_WAITS] : []),
    usable.length === 0 ? 'No tools may be used here.' : '**Tools that may be used here**',
    ...usable.map(
      ({ name, changes, description }) =>
        `- \`${name}\`${changes === 'outside' ? ' (asks you first)' : ''}: ${shortLine(description, MAX_DESCRIPTION)}`,
    ),
  ];
  return { content: fitLines(lines), components: toolButtons(shown) };
}

/** Counts the first questions that fit a message together, each whole and with its buttons. */
function countFitting(questions: readonly ToolQuestion[]): number {
  const fits = (count: number) => {
    const lines = [...questions.slice(0, count).map(({ text }) => text), MORE_WAITS];
    return fitLines(lines) === lines.join('\n');
  };
  const tooMany = questions.findIndex((_, n) => n >= MAX_BUTTON_ROWS || !fits(n + 1));
  return tooMany < 0 ? questions.length : tooMany;
}

function describeOutcome({ status, result }: ToolOutcome): string {
  if (status === 'declined') return 'All right, it was not done.';
  // As code: a tool's words are not the companion's.
  const told = cutText((result ?? '').replaceAll('`', 'ˋ'), MAX_RESULT);
  const words = told.trim() === '' ? '' : `\`\`\`\n${told}\n\`\`\``;
  // A failure's own text says how it ended: without an answer, the call may still have worked.
  if (status === 'failed') return words || 'That did not work.';
  return words ? `Done.\n${words}` : 'Done.';
}
