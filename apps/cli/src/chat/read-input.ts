import type { ToolAnswer } from '@kith/contracts';

/** Meaning of a line of a chat. */
export type ChatInput =
  | { kind: 'nothing' }
  | { kind: 'message'; text: string }
  | { kind: 'command'; name: ChatCommand }
  | { kind: 'mistake'; problem: string };

export type ChatCommand = 'why' | 'last' | 'mood' | 'help' | 'quit' | ToolAnswer;

const COMMANDS: Readonly<Record<string, ChatCommand>> = {
  '/why': 'why',
  '/last': 'last',
  '/mood': 'mood',
  '/help': 'help',
  '/yes': 'yes',
  '/always': 'always',
  '/no': 'no',
  '/quit': 'quit',
  '/exit': 'quit',
};
/** Characters of a mistyped command that an error repeats. */
const SHOWN_CHARACTERS = 40;

/**
 * Reads a line as the person meant it, typed or piped alike. A line that begins with `/` is a command: `//` begins
 * a message that starts with a slash. Pure.
 */
export function readInput(line: string, maxCharacters: number): ChatInput {
  const text = line.trim();
  if (text === '') return { kind: 'nothing' };
  if (text.startsWith('/') && !text.startsWith('//')) {
    const name = COMMANDS[text.toLowerCase()];
    if (name) return { kind: 'command', name };
    const [word = ''] = text.split(/\s/, 1);
    const shown = word.length > SHOWN_CHARACTERS ? `${word.slice(0, SHOWN_CHARACTERS)}…` : word;
    const known = COMMANDS[word.toLowerCase()] !== undefined;
    const problem = known
      ? `${shown} takes nothing after it`
      : `there is no command ${shown}; /help lists what there is`;
    return { kind: 'mistake', problem: `${problem}. To say it, begin with two slashes: /${shown}` };
  }
  const message = text.startsWith('//') ? text.slice(1) : text;
  if (message.length > maxCharacters) {
    return {
      kind: 'mistake',
      problem: `this is longer than the ${maxCharacters} characters that a message may have: it was not sent`,
    };
  }
  return { kind: 'message', text: message };
}
