import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { AppError, type DocumentFormat, withinTime } from '@kith/contracts';
import type { Chunk } from './chunk-document.js';
import { beyond, LIMITS, refused } from './document-limits.js';
import type { DocumentReading, ReadingOrder } from './reading-process.js';

/** Compiled program that reads a document: a child process runs no TypeScript. */
const PROGRAM = join(import.meta.dirname, '../../dist/documents/reading-process.js');
/** Permissions of the program: it may read files, its own code, and start its thread; write and start nothing else. */
const PERMISSIONS = ['--permission', '--allow-worker', '--allow-fs-read=*'];
/** Documents that are read or wait at once: the last one's time is over before its request's minute is. */
const MAX_AT_ONCE = 3;
/** Documents of one person among them: who sends many leaves room for others. */
const MAX_OF_ONE = 2;

/**
 * Reads documents one after another, each in a process of its own: whatever a file does to the time, the memory and the
 * stack of its reader, this process keeps its own. Few documents may wait.
 */
export class DocumentReader {
  /** Ids of those whose documents are read or wait, once for each document. */
  private readonly line: string[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private readonly running = new Set<ChildProcess>();
  private isClosed = false;

  /** @param timeMs a document may take, for tests: a loaded machine takes many times as long */
  constructor(private readonly timeMs = LIMITS.timeMs) {}

  /**
   * Reads a document into chunks.
   * @throws AppError `invalid_request` for what can't be read or goes beyond a limit, `rate_limited` when this person
   * has others in line, `unavailable` when the line is full
   */
  async read(personId: string, content: string, format: DocumentFormat): Promise<Chunk[]> {
    if (this.line.filter((id) => id === personId).length >= MAX_OF_ONE)
      throw new AppError(
        'rate_limited',
        'other documents of yours are being read: send this one after them',
        { retryAfterS: LIMITS.timeMs / 1_000 },
      );
    if (this.line.length >= MAX_AT_ONCE)
      throw new AppError('unavailable', 'other documents are being read: send this one again in a minute');
    this.line.push(personId);
    const reading = this.last.then(() => this.start({ content, format, memoryMb: LIMITS.memoryMb }));
    this.last = reading.catch(() => undefined);
    try {
      return chunksOf(await reading);
    } finally {
      this.line.splice(this.line.indexOf(personId), 1);
    }
  }

  /** Ends what is being read. */
  close(): void {
    this.isClosed = true;
    for (const child of this.running) child.kill('SIGKILL');
  }

  private async start(order: ReadingOrder): Promise<DocumentReading> {
    if (this.isClosed) throw new AppError('unavailable', 'the service is shutting down');
    // It gets nothing of this process's environment, which has secrets.
    const child = fork(PROGRAM, {
      env: {},
      execArgv: PERMISSIONS,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.running.add(child);
    const reading = new Promise<DocumentReading>((resolve, reject) => {
      // A process that did not start, or ended early, takes no order: then several errors come.
      child.once('spawn', () => child.send(order)).on('error', reject);
      child.once('message', (told) => resolve(told as DocumentReading));
      // V8 or the kernel ends what takes more memory than there is, without a word.
      child.once('exit', (code, signal) =>
        resolve(signal === null ? { bug: `it ended with ${code}` } : { outOfMemory: true }),
      );
    });
    try {
      return await withinTime(reading, this.timeMs, () => beyond('timeMs'));
    } finally {
      child.kill('SIGKILL');
      this.running.delete(child);
    }
  }
}

function chunksOf(reading: DocumentReading): Chunk[] {
  if ('outOfMemory' in reading) throw beyond('memoryMb');
  if ('refusal' in reading) throw refused(reading.refusal.message, reading.refusal.details);
  if ('bug' in reading) throw new Error(`a document could not be read: ${reading.bug}`);
  return reading.chunks;
}
