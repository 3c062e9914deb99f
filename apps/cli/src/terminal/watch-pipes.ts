import type { Terminal } from './terminal.js';

/** Ends the program when the reader of its output left, but for a batch of changes, which is carried to its end. */
export function watchPipes(terminal: Terminal, exit: (code: number) => void): void {
  terminal.output.on('error', ({ code }: NodeJS.ErrnoException) => {
    // A reader that closed the pipe, such as head, has what it wanted.
    if (!terminal.finishesUnread) exit(code === 'EPIPE' ? 0 : 1);
  });
  // Progress and hints are no results: the work goes on without their reader.
  terminal.notes.on('error', () => undefined);
}
