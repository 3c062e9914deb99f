import type { Terminal } from './terminal.js';

/** Ends the program when its output fails, but for a batch of changes, which is carried to its end. */
export function watchPipes(terminal: Terminal, exit: (code: number) => void): void {
  terminal.output.on('error', (error: NodeJS.ErrnoException) => {
    // A reader that closed the pipe, such as head, has what it wanted.
    const hasLeft = error.code === 'EPIPE';
    if (terminal.finishesUnread) {
      if (!hasLeft) terminal.unwritten = error;
    } else {
      if (!hasLeft) terminal.problem(`kith: the output could not be written: ${error.message}\n`);
      exit(hasLeft ? 0 : 1);
    }
  });
  // Progress and hints are no results: the work goes on without their reader.
  terminal.notes.on('error', () => undefined);
}
