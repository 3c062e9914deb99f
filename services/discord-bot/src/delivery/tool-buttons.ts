import { ButtonStyle } from 'discord-api-types/v10';
import { buttonRow, type ButtonRow } from '../rest/button-row.js';

/** Characters of a button's label that Discord shows on one line. */
const MAX_LABEL = 40;
/** Rows of buttons that Discord allows under a message. */
export const MAX_BUTTON_ROWS = 5;

/** Makes the buttons under questions about tools. They stay good over a restart: the questions are the gateway's. */
export function toolButtons(questions: readonly { id: string; tool: string }[]): ButtonRow[] {
  return questions.slice(0, MAX_BUTTON_ROWS).map(({ id, tool }) =>
    buttonRow(
      { style: ButtonStyle.Success, label: `Allow ${tool}`.slice(0, MAX_LABEL), custom_id: `tool:yes:${id}` },
      // A message shows a part of long arguments: nobody should have to allow what they can't see.
      { style: ButtonStyle.Secondary, label: 'See all', custom_id: `tool:see:${id}` },
      { style: ButtonStyle.Secondary, label: 'Always', custom_id: `tool:always:${id}` },
      { style: ButtonStyle.Danger, label: 'No', custom_id: `tool:no:${id}` },
    ),
  );
}
