import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Answer, Call } from './reading-loop.js';

/** Program of the thread as it was built: a thread runs no TypeScript. */
const LOOP = join(import.meta.dirname, '../dist/reading-loop.js');

/** Bounds of a thread. */
export interface ThreadLimits {
  /** Time for one call. Rules take under 50 ms for any text: a hundred times that is a rule that never ends. */
  deadlineMs?: number;
  /** Time after which an idle thread is ended, to free what it takes. */
  idleMs?: number;
  /** Memory that it may fill. Rules need some 40 MB; a text that takes more than this ends the thread alone. */
  maxMegabytes?: number;
}

/**
 * Half an hour idle: longer than the pauses of a talk. A new thread takes .5 s of CPU for its first line, mostly to compile the
 * rules, where the turn that it follows takes .01. One that is kept takes none, and some 20 MB.
 */
const USUAL = { deadlineMs: 5_000, idleMs: 30 * 60_000, maxMegabytes: 128 };
/** Time for a thread to start, or to load rules. They load in under a second: a slower machine has other troubles. */
const START_MS = 30_000;
/**
 * Time between two looks at a thread's memory, in which it fills some 40 MB. It is ended before it meets V8's own limit,
 * as that takes the whole process with it one time in five, as measured.
 */
const CHECK_EVERY_MS = 20;
/** Factor of V8's own limit over the one above: for a Node that can't look into a thread. */
const LIMIT_FACTOR = 2;

/** Tells that a text ended its reader twice: the deadline passed, or the thread ran out of memory. */
export class ReaderEnded extends Error {}

/**
 * A thread that carries out calls of rules, one after another. It begins with the first call, goes when it is idle, and is
 * replaced after a text ended it.
 */
export class RulesThread {
  private worker: Worker | undefined;
  /** Modules that the worker has loaded. */
  private loaded = new Set<string>();
  private last: Promise<unknown> = Promise.resolve();
  private waiting = 0;
  private idle: NodeJS.Timeout | undefined;
  private readonly limits: Required<ThreadLimits>;

  constructor(limits: ThreadLimits = {}) {
    this.limits = { ...USUAL, ...limits };
  }

  /** True while a thread runs. */
  get isRunning(): boolean {
    return this.worker !== undefined;
  }

  /**
   * Carries out a call, after those before it. What goes in and comes out is copied.
   * @throws ReaderEnded when two threads ended over it; what the function throws
   */
  async call(call: Call): Promise<unknown> {
    clearTimeout(this.idle);
    this.waiting += 1;
    const reading = this.last.then(() => this.read(call));
    this.last = reading.catch(() => undefined);
    try {
      return await reading;
    } finally {
      this.waiting -= 1;
      if (this.waiting === 0) this.rest();
    }
  }

  private rest(): void {
    const worker = this.worker;
    if (worker) this.idle = setTimeout(() => void this.end(worker), this.limits.idleMs).unref();
  }

  /** Calls a second thread where the first ended: the machine may have stood still for a while. */
  private async read(call: Call): Promise<unknown> {
    try {
      return await this.readOnce(call);
    } catch (error) {
      if (!(error instanceof ReaderEnded)) throw error;
      return this.readOnce(call);
    }
  }

  private async readOnce(call: Call): Promise<unknown> {
    const worker = await this.ready(call);
    worker.postMessage(call);
    const stopWatching = endWhenFull(worker, this.limits.maxMegabytes);
    let answer: Answer;
    try {
      answer = await answerOf(worker, this.limits.deadlineMs);
    } catch (cause) {
      await this.end(worker);
      throw new ReaderEnded('a text ended its reader', { cause });
    } finally {
      stopWatching();
    }
    if ('error' in answer) throw answer.error;
    return 'result' in answer ? answer.result : undefined;
  }

  /** Gives the worker with the module of a call: to load it takes longer than any text may. */
  private async ready({ module }: Call): Promise<Worker> {
    const worker = this.worker ?? (await this.begun());
    if (this.loaded.has(module)) return worker;
    worker.postMessage({ module } satisfies Call);
    const answer = await answerOf(worker, START_MS).catch((error: unknown) => ({ error }));
    if ('error' in answer) {
      await this.end(worker);
      throw new Error('the thread for rules does not start', { cause: answer.error });
    }
    this.loaded.add(module);
    return worker;
  }

  private async begun(): Promise<Worker> {
    const worker = new Worker(LOOP, {
      // Options of the service, such as a condition for imports, are not meant for built code.
      execArgv: [],
      resourceLimits: { maxOldGenerationSizeMb: LIMIT_FACTOR * this.limits.maxMegabytes },
    });
    // An error ends the thread, which its exit tells: an error without a listener would end the service.
    worker.on('error', () => undefined);
    worker.once('exit', () => this.leave(worker));
    try {
      await answerOf(worker, START_MS);
    } catch (cause) {
      await worker.terminate();
      throw new Error('the thread for rules does not start', { cause });
    }
    this.worker = worker;
    this.loaded = new Set();
    return worker;
  }

  private async end(worker: Worker): Promise<void> {
    this.leave(worker);
    await worker.terminate();
  }

  private leave(worker: Worker): void {
    if (this.worker === worker) this.worker = undefined;
  }
}

/** Ends a thread whose heap grows past the bound. Returns how to stop checking. */
function endWhenFull(worker: Worker, maxMegabytes: number): () => void {
  const check = () =>
    worker.getHeapStatistics().then(
      ({ used_heap_size: bytes }) => bytes > maxMegabytes * 2 ** 20 && void worker.terminate(),
      // It has ended.
      () => undefined,
    );
  const timer = setInterval(() => void check(), CHECK_EVERY_MS);
  return () => clearInterval(timer);
}

/** Awaits the thread's next message. Rejects with its error, its end, or when the time is up. */
function answerOf(worker: Worker, withinMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const listeners = {
      message: (answer: Answer) => leave(() => resolve(answer)),
      error: (error: Error) => leave(() => reject(error)),
      exit: () => leave(() => reject(new Error('the thread ended'))),
    };
    const leave = (end: () => void) => {
      clearTimeout(timer);
      worker.unref();
      for (const [event, listener] of Object.entries(listeners)) worker.off(event, listener);
      end();
    };
    const timer = setTimeout(() => leave(() => reject(new Error('no answer in time'))), withinMs);
    // A service that shuts down waits for what it reads, and for no idle thread.
    worker.ref();
    for (const [event, listener] of Object.entries(listeners)) worker.on(event, listener);
  });
}
