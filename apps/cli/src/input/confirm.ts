import { createInterface } from 'node:readline/promises';
import type { Terminal } from '../terminal/terminal.js';
import { CliError } from './cli-error.js';

/**
 * Asks for a yes, typed out.
 * @param alone what to say where nobody can answer
 * @throws CliError where nobody can answer
 */
export async function confirm(terminal: Terminal, question: string, alone: string): Promise<boolean> {
  if (!terminal.isInteractive) throw new CliError(alone, 2);
  const prompt = createInterface({ input: terminal.input, output: terminal.output });
  try {
    return (await prompt.question(`${question} Type yes: `)).trim() === 'yes';
  } finally {
    prompt.close();
  }
}
