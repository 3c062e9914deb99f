// The thread of a ReadingThread: loads the rules and answers one call after another.
import { parentPort, workerData } from 'node:worker_threads';

/** A function of the rules, and what it is called with. */
export interface Call {
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Messages of the thread: first that it is ready, then the outcome of each call. */
export type Answer = { readonly ready: true } | { readonly result: unknown } | { readonly error: unknown };

const rules = (await import(workerData as string)) as Record<
  string,
  (...args: readonly unknown[]) => unknown
>;

parentPort?.on('message', ({ name, args }: Call) => {
  void answerTo(name, args).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage({ ready: true } satisfies Answer);

async function answerTo(name: string, args: readonly unknown[]): Promise<Answer> {
  try {
    return { result: await rules[name]?.(...args) };
  } catch (error) {
    return { error };
  }
}
