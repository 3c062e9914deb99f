/** Error that ends a command with one line that says what to do. Anything else that is thrown is a bug. */
export class CliError extends Error {
  override readonly name = 'CliError';
  constructor(
    message: string,
    /** 1: something went wrong; 2: the command was called wrongly. */
    readonly exitCode: 1 | 2 = 1,
    options?: { cause?: unknown },
  ) {
    super(message, options);
  }
}

/** Ctrl-C at a question. The command ends without a word. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Exit code after Ctrl-C, as shells have it. */
export const INTERRUPTED = 130;
