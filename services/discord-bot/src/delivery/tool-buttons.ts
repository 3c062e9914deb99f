import { ButtonStyle, ComponentType, type APIButtonComponentWithCustomId } from 'discord-api-types/v10';
import type { ButtonRow } from '../rest/discord-api.js';

/** Characters of a button's label that Discord shows on one line. */
const MAX_LABEL = 40;

/** Makes the buttons under a question about a tool. They stay good over a restart: the question is the gateway's. */
export function toolButtons(questionId: string, tool: string): ButtonRow {
  const button = (
    style: APIButtonComponentWithCustomId['style'],
    label: string,
    answer: 'yes' | 'always' | 'no',
  ): APIButtonComponentWithCustomId => ({
    ...{ type: ComponentType.Button, style, custom_id: `tool:${answer}:${questionId}` },
    label: label.slice(0, MAX_LABEL),
  });
  return {
    type: ComponentType.ActionRow,
    components: [
      button(ButtonStyle.Success, `Allow ${tool}`, 'yes'),
      button(ButtonStyle.Secondary, 'Always', 'always'),
      button(ButtonStyle.Danger, 'No', 'no'),
    ],
  };
}
