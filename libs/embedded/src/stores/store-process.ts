import type { ChildProcess } from 'node:child_process';
import { isRunning } from '../processes/end-child.js';
import { RestartDelay } from '../processes/restart-delay.js';

/** Longest path of a socket, in bytes: on macOS, which takes the shortest. */
const MAX_SOCKET_PATH = 103;

/** Tells whether a socket may have this path: longer ones are cut, or refused. */
export function isSocketPath(path: string): boolean {
  return Buffer.byteLength(path) <= MAX_SOCKET_PATH;
}

/** A store that can't start, on a full disk perhaps, is tried for as long as it takes, and not all the time. */
const MAX_RESTART_MS = 10_000;
/** Last words of a process may still be in its pipe when it has ended. */
const LAST_WORDS_MS = 20;

/** The process of a store: started, started again when it ends unasked, and stopped. One after the other. */
export class StoreProcess {
  private child: ChildProcess | undefined;
  private isWanted = false;
  private restart: NodeJS.Timeout | undefined;
  private readonly delay = new RestartDelay(MAX_RESTART_MS);
  /** Ends with the start or stop that was asked for last. */
  private last: Promise<unknown> = Promise.resolve();

  constructor(
    /** Resolves when it is ready; leaves no process behind otherwise. */
    private readonly launch: () => Promise<ChildProcess>,
    /** Called with the reason whenever it is to be started again. */
    private readonly onDeath: (why: string) => void = () => undefined,
    /** Gives the reason that it gave for its end; empty where it gave none. */
    private readonly lastWords: () => string = () => '',
  ) {}

  /** Starts it unless it runs. @throws what `launch` does; then it is not tried again */
  start(): Promise<void> {
    return this.inTurn(async () => {
      this.isWanted = true;
      try {
        await this.begin();
      } catch (error) {
        this.isWanted = false;
        throw error;
      }
    });
  }

  /** Stops it and keeps it stopped. @param end ends a process that runs */
  stop(end: (child: ChildProcess) => Promise<void>): Promise<void> {
    this.forget();
    return this.inTurn(async () => {
      this.forget();
      if (this.child && isRunning(this.child)) await end(this.child);
    });
  }

  private forget(): void {
    this.isWanted = false;
    clearTimeout(this.restart);
  }

  private async begin(): Promise<void> {
    clearTimeout(this.restart);
    if (!this.isWanted || (this.child && isRunning(this.child))) return;
    const child = await this.launch();
    const started = performance.now();
    this.child = child;
    const died = () => {
      this.delay.noteRun(performance.now() - started);
      const how = `it ended with ${child.signalCode ?? `code ${String(child.exitCode)}`}`;
      this.restart = setTimeout(() => {
        const words = this.lastWords();
        this.beginLater(words === '' ? how : `${how}: ${words}`);
      }, LAST_WORDS_MS);
    };
    if (isRunning(child)) child.once('exit', died);
    else died();
  }

  private beginLater(why: string): void {
    if (!this.isWanted) return;
    this.onDeath(why);
    const again = () => this.inTurn(() => this.begin());
    this.restart = setTimeout(
      () => void again().catch((error: unknown) => this.beginLater((error as Error).message)),
      this.delay.next(),
    );
  }

  private inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.last.then(work, work);
    this.last = done.catch(() => undefined);
    return done;
  }
}
