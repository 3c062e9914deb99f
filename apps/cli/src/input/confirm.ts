import { createInterface } from 'node:readline';
import type { Terminal } from '../terminal/terminal.js';
import { CliError, Interrupted } from './cli-error.js';

/** Checks that somebody can answer a question. @throws CliError of these words otherwise */
export function requireTypist(terminal: Terminal, alone: string): void {
  if (!terminal.isInteractive) throw new CliError(alone, 2);
}

/**
 * Asks for a yes, typed out. Anything else is a no, Ctrl-D too.
 * @param alone the error's words where nobody can answer
 * @throws CliError where nobody can answer; Interrupted at Ctrl-C
 */
export async function confirm(terminal: Terminal, question: string, alone: string): Promise<boolean> {
  requireTypist(terminal, alone);
  const prompt = createInterface({ input: terminal.input, output: terminal.output });
  try {
    const answer = await new Promise<string | null>((resolve, reject) => {
      prompt.question(`${question} Type yes: `, resolve);
      prompt.once('SIGINT', () => reject(new Interrupted()));
      prompt.once('close', () => resolve(null));
    });
    if (answer === null) terminal.line();
    return answer?.trim() === 'yes';
  } finally {
    prompt.close();
  }
}
