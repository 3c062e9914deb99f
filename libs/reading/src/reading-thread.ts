import { pathToFileURL } from 'node:url';
import { RulesThread, type ThreadLimits } from './rules-thread.js';

/** The module's functions. */
type Rules<M> = {
  [Name in keyof M]: M[Name] extends (...args: infer A) => infer R ? (...args: A) => Awaited<R> : never;
};

/**
 * Runs rules over text from outside where they can be ended: in a thread beside the service, one call after another.
 * @typeParam M the module with the rules: `ReadingThread<typeof import('./read-by-rules.js')>`
 */
export class ReadingThread<M> {
  /** One for all rules of a process, unless they have limits of their own: a thread takes some 20 MB. */
  private static shared: RulesThread | undefined;
  private readonly thread: RulesThread;
  private readonly module: string;

  /**
   * @param path the module as it was built
   * @param own limits of a thread that only this module has
   */
  constructor(path: string, own?: ThreadLimits) {
    this.module = pathToFileURL(path).href;
    this.thread = own ? new RulesThread(own) : (ReadingThread.shared ??= new RulesThread());
  }

  /** True while its thread runs. */
  get isRunning(): boolean {
    return this.thread.isRunning;
  }

  /**
   * Calls a function of the module. What goes in and comes out is copied.
   * @throws ReaderEnded when two threads ended over it; what the function throws
   */
  async call<Name extends keyof M & string>(
    name: Name,
    ...args: Parameters<Rules<M>[Name]>
  ): Promise<ReturnType<Rules<M>[Name]>> {
    return (await this.thread.call({ module: this.module, name, args })) as ReturnType<Rules<M>[Name]>;
  }
}
