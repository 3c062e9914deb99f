import { cutText, oneLine, visibleText, type ToolQuestion } from '@kith/contracts';
import { askForTool } from '../../safety/question-text.js';
import type { NotedCall } from './tool-call-records.js';

/** Characters of one argument that are shown: enough to see what it is about. */
const MAX_SHOWN = 200;
/** Arguments that are shown; the rest is counted. */
const MAX_ARGUMENTS = 16;
/**
 * Characters of all arguments, of which each has its share, and of a name: with its counts the question fits one message
 * of Discord, so that its buttons never stand under words that were cut off.
 */
const SHOWN_OF_FEW = { few: 8, all: 1_000, name: 40 };
const SHOWN_OF_MANY = { all: 850, name: 22 };

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
  const entries = leavesOf(given, '');
  const first = entries.slice(0, MAX_ARGUMENTS);
  const bounds = first.length > SHOWN_OF_FEW.few ? SHOWN_OF_MANY : SHOWN_OF_FEW;
  const limit = Math.min(MAX_SHOWN, Math.floor(bounds.all / first.length));
  const shown = first.map(([name, value]) => {
    const text = visibleText(
      oneLine(withSpacesShown(typeof value === 'string' ? value : JSON.stringify(value))),
    );
    const cut = text.length > limit ? `${cutText(text, limit)}… (${text.length} characters)` : text;
    // A model may make names up, too.
    return `· ${name.slice(-bounds.name).replaceAll(/[^\p{L}\p{N} _.-]/gu, '_')}: ${asCode(cut)}`;
  });
  const rest = entries.length - shown.length;
  return rest > 0 ? [...shown, `· and ${rest} more`] : shown;
}

/** Lists arguments, those within objects too: no long one hides what stands behind it. Named `body.to`, `mails.0.to`. */
function leavesOf(given: object, within: string): [name: string, value: unknown][] {
  return Object.entries(given).flatMap(([name, value]: [string, unknown]) =>
    hasParts(value)
      ? leavesOf(value, `${within}${name}.`)
      : [[`${within}${name}`, value] as [string, unknown]],
  );
}

/** Tells whether a value is an object of anything, or a list with objects. A list of words stays one line. */
function hasParts(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return Array.isArray(value) ? value.some(hasParts) : Object.keys(value).length > 0;
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
