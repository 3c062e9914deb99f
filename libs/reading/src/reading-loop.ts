// The thread of a ReadingThread: loads the rules and answers one call after another.
import { parentPort, workerData } from 'node:worker_threads';

/** A function of the rules, and what it is called with. */
export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** What the thread says: first that it is ready, then the outcome of each call. */
export type Answer = { readonly ready: true } | { readonly result: unknown } | { readonly error: unknown };

const rules = (await import(workerData as string)) as Record<
  string,
  (...args: readonly unknown[]) => unknown
>;

parentPort!.on('message', ({ name, args }: Call) => parentPort!.postMessage(answerTo(name, args)));
parentPort!.postMessage({ ready: true } satisfies Answer);

function answerTo(name: string, args: readonly unknown[]): Answer {
  try {
    return { result: rules[name]!(...args) };
  } catch (error) {
    return { error };
  }
}
