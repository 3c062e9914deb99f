import { spawn, type ChildProcess } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { reasonOf } from '@kith/contracts';
import { TAIL_CHARACTERS, fatalReason, refusedSettings, type Refusal } from './fatal-reason.js';
import { endChild } from '../processes/end-child.js';
import { LogFile } from '../files/log-file.js';
import { RestartDelay } from '../processes/restart-delay.js';
import type { ServiceName } from '../settings/services.js';

/** A person waits for a service that is away: no crash loop is slowed down further. */
const MAX_RESTART_MS = 4_000;
/**
 * Bounds the freed memory that the C library's allocator keeps: of vectors, of query compilers, and of V8's parser, which
 * takes blocks of 32 KB and left 15 MB of them behind in each process. Its own rules are many arenas, and a bound for what
 * goes back at once that rises with each large block.
 */
const ALLOCATOR = { MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '32768' };
/**
 * Keeps compiled code over quiet moments. Compiled code holds the shapes of objects weakly: a collection that finds no
 * request under way drops the shapes of requests, and with them the code of some five hundred functions. V8 does so two
 * looks later, and at once in the collection that it makes when little happens.
 */
const KEEP_COMPILED_CODE = ['--retain-maps-for-n-gc=1000', '--no-memory-reducer'];
/** Last words of a process may still be in its pipe when it has ended. */
const LAST_WORDS_MS = 20;
/** A little longer than a service's own drain. */
const STOP_TIMEOUT_MS = 28_000;

/** First line of the supervisor: the environment of each service that runs in a process. */
export type PlacingOrder = Readonly<Partial<Record<ServiceName, Readonly<Record<string, string>>>>>;

/** A process of services on this machine: started, restarted when it dies, stopped in peace. */
export class ServiceProcess {
  private child: ChildProcess | undefined;
  private readonly log: LogFile;
  private wanted = false;
  private readonly delay = new RestartDelay(MAX_RESTART_MS);
  private restart: NodeJS.Timeout | undefined;
  private refusedBy: readonly Refusal[] = [];
  private isKeptUp = false;
  private startCount = 0;
  private lastOrder: PlacingOrder | undefined;

  constructor(
    readonly name: string,
    private readonly options: {
      /** Program that is loaded before the entry. */
      preload: string;
      entry: string;
      /** Arguments of the entry. */
      args: readonly string[];
      environment: Record<string, string>;
      heap: {
        /** Bound of its heap. */
        maxMegabytes: number;
        /**
         * Size of each half of the space for new objects, from the start. Node would let it grow with each rush and never
         * shrink it: the process would take more memory after each, and look for garbage more often until then.
         */
        semiSpaceMegabytes: number;
      };
      logFile: string;
      /** Called with each process that is started. */
      onSpawn: (child: ChildProcess) => void;
      /** Called with the exit's words when it died unasked. */
      onDeath: (name: string, how: string) => void;
    },
  ) {
    this.log = new LogFile(options.logFile);
  }

  get pid(): number | undefined {
    return this.child?.pid;
  }

  /** Number of starts, after a death or otherwise. */
  get starts(): number {
    return this.startCount;
  }

  /** Services whose wrong settings ended it at its first start. It is not started again then: whoever started it fixes them. */
  get refusals(): readonly Refusal[] {
    return this.refusedBy;
  }

  /** Starts it, to load what it is to run. It waits for its order with that, after a restart too. */
  start(): void {
    this.wanted = true;
    this.refusedBy = [];
    this.startCount += 1;
    const started = performance.now();
    const { preload, entry, args, heap: limits } = this.options;
    const heap = [
      `--max-old-space-size=${limits.maxMegabytes}`,
      ...['min', 'max'].map((bound) => `--${bound}-semi-space-size=${limits.semiSpaceMegabytes}`),
      ...KEEP_COMPILED_CODE,
    ];
    let tail = '';
    let child: ChildProcess | undefined;
    const died = (how: string) => {
      if (this.child === child) this.child = undefined;
      if (!this.wanted) return;
      this.delay.noteRun(performance.now() - started);
      this.restart = setTimeout(() => this.startAgain(how, tail), LAST_WORDS_MS);
    };
    // A machine without memory or processes to spare starts none, and there is no exit of it: it is told by an error, or
    // thrown. Later errors are signals or orders that did not arrive.
    try {
      child = spawn(process.execPath, ['--import', pathToFileURL(preload).href, ...heap, entry, ...args], {
        env: { ...ALLOCATOR, ...this.options.environment },
        // A service notices by the channel's end that the supervisor was killed.
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      });
    } catch (error) {
      died(reasonOf(error));
      return;
    }
    child.on('error', (error) => {
      if (child.pid === undefined) died(error.message);
    });
    child.once('exit', (code, signal) => died(signal ?? `code ${String(code)}`));
    this.child = child;
    this.tell();
    this.options.onSpawn(child);
    for (const output of [child.stdout, child.stderr]) {
      output?.on('data', (chunk: Buffer) => {
        this.log.write(chunk);
        tail = (tail + chunk.toString()).slice(-TAIL_CHARACTERS);
      });
    }
  }

  /** Reports its end and starts it again, unless its first start was refused. */
  private startAgain(how: string, tail: string): void {
    const refusals = refusedSettings(tail);
    if (refusals.length > 0 && !this.isKeptUp) {
      this.refusedBy = refusals;
      return;
    }
    const why = fatalReason(tail);
    this.options.onDeath(this.name, why === null ? how : `${how}: ${why}`);
    // What its settings name, a file of hooks perhaps, is mended by hand.
    const delayMs = refusals.length === 0 ? this.delay.next() : MAX_RESTART_MS;
    this.restart = setTimeout(() => this.start(), delayMs);
  }

  /** Notes that it has started well: from now on it is started again whatever ends it. */
  keepUp(): void {
    this.isKeptUp = true;
    // It ended while others were waited for.
    if (this.refusedBy.length > 0) this.start();
  }

  /** Has it run what it loaded, now and whenever it is started. */
  order(order: PlacingOrder): void {
    this.lastOrder = order;
    this.tell();
  }

  private tell(): void {
    // One that could not be started has no channel. It may have died already, which is noticed by its exit.
    if (this.lastOrder && this.child?.pid !== undefined) this.child.send(this.lastOrder, () => undefined);
  }

  /** Sends a signal, as an operator or the kernel would; what dies of it is started again. */
  kill(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Stops it and keeps it stopped. */
  async stop(): Promise<void> {
    this.wanted = false;
    clearTimeout(this.restart);
    if (this.child) await endChild(this.child, 'SIGTERM', STOP_TIMEOUT_MS);
    this.log.close();
  }
}
