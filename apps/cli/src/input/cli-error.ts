import { constants } from 'node:os';

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

/** Ctrl-C, the end that a supervisor or a shutdown asks for, and a terminal that was closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
export type EndingSignal = (typeof ENDING_SIGNALS)[number];
/** Exit code after a signal, less the signal's number, as shells have it. */
export const SIGNALLED = 128;

/** Ctrl-C at a question, or a signal to end. The command ends without a word. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
  readonly exitCode: number;

  constructor(signal: EndingSignal = 'SIGINT') {
    super();
    this.exitCode = SIGNALLED + constants.signals[signal];
  }
}
