// The program of a RulesThread: loads modules of rules, and answers one call after another.
import { parentPort } from 'node:worker_threads';

/** A module to load, or a function of it with what it is called with. */
export interface Call {
  readonly module: string;
  /** Absent: the module is loaded, and nothing is called. */
  readonly name?: string;
  readonly args?: readonly unknown[];
}

/** Messages of the thread: first that it is ready, then the outcome of each call. */
export type Answer = { readonly ready: true } | { readonly result: unknown } | { readonly error: unknown };

parentPort?.on('message', (call: Call) => {
  void answerTo(call).then((answer) => parentPort?.postMessage(answer));
});
parentPort?.postMessage({ ready: true } satisfies Answer);

async function answerTo({ module, name, args = [] }: Call): Promise<Answer> {
  try {
    // A module is loaded once, however often it is named.
    const rules = (await import(module)) as Record<string, (...args: readonly unknown[]) => unknown>;
    return name === undefined ? { ready: true } : { result: await rules[name]?.(...args) };
  } catch (error) {
    return { error };
  }
}
