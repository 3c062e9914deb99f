import { cutText, oneLine, visibleText, type ToolQuestion } from '@kith/contracts';
import { askForTool } from '../../safety/question-text.js';
import type { NotedCall } from './tool-call-records.js';

/** Characters of one argument that are shown: enough to see what it is about. */
const MAX_SHOWN = 200;
/**
 * Characters of all arguments, of which each has its share: with names and counts the question fits one message of
 * Discord, so that its buttons never stand under words that were cut off.
 */
const MAX_SHOWN_OF_ALL = 1_000;
/** Arguments that are shown; the rest is counted. */
const MAX_ARGUMENTS = 8;

/**
 * Shows a question about a call to its person, worded without a model: the tool's name and its arguments as they would be
 * sent, a line each, with nothing that a door would show as a link or a mention.
 */
export function viewQuestion(call: Pick<NotedCall, 'id' | 'tool' | 'arguments' | 'expiresAt'>): ToolQuestion {
  return {
    id: call.id,
    tool: call.tool,
    arguments: call.arguments,
    text: [askForTool(call.tool), ...describeArguments(call.arguments)].join('\n'),
    expiresAt: (call.expiresAt ?? new Date(0)).toISOString(),
  };
}

/** Shows arguments, a line each. */
function describeArguments(given: Readonly<Record<string, unknown>>): string[] {
  const entries = Object.entries(given);
  const first = entries.slice(0, MAX_ARGUMENTS);
  const limit = Math.min(MAX_SHOWN, Math.floor(MAX_SHOWN_OF_ALL / first.length));
  const shown = first.map(([name, value]) => {
    const text = visibleText(
      oneLine(withSpacesShown(typeof value === 'string' ? value : JSON.stringify(value))),
    );
    const cut = text.length > limit ? `${cutText(text, limit)}… (${text.length} characters)` : text;
    // A model may make names up, too.
    return `· ${name.slice(0, 40).replaceAll(/[^\p{L}\p{N} _.-]/gu, '_')}: ${asCode(cut)}`;
  });
  const rest = entries.length - shown.length;
  return rest > 0 ? [...shown, `· and ${rest} more`] : shown;
}

/** Escapes white space that a reader would take for a space. */
function withSpacesShown(text: string): string {
  return text.replaceAll(
    /[^\S \n\t]/gu,
    (space) => `\\u${space.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** Shows a text as code, where doors see no mention and no link. Marks around nothing would begin code further on. */
function asCode(text: string): string {
  return text === '' ? '(empty)' : `\`${text.replaceAll('`', 'ˋ')}\``;
}
