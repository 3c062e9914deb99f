import { fork, type ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { AppError, type DocumentFormat } from '@kith/contracts';
import type { Chunk } from './chunk-document.js';
import { beyond, LIMITS, refused } from './document-limits.js';
import type { Reading, ReadingOrder } from './reading-process.js';

/** The program as it was built: a child process runs no TypeScript. */
const PROGRAM = join(import.meta.dirname, '../../dist/documents/reading-process.js');
/** It reads its own code and the document it was given, writes nothing, and starts nothing but its thread. */
const PERMISSIONS = ['--permission', '--allow-worker', '--allow-fs-read=*'];
/** Documents in work and waiting: each has had its time before the request's own minute is over. */
const MAX_AT_ONCE = 3;
/** A person who sends many leaves room for others. */
const MAX_OF_ONE = 2;

/**
 * Reads documents, each in a process of its own that ends with it: whatever a file does to its reader, this process
 * keeps its time, memory and stack. One at a time, and few wait.
 */
export class DocumentReader {
  /** People whose documents are read or wait. */
  private readonly line: string[] = [];
  private last: Promise<unknown> = Promise.resolve();
  private readonly running = new Set<ChildProcess>();
  private isClosed = false;

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
        {
          retryAfterS: LIMITS.timeMs / 1_000,
        },
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

  private async start(order: ReadingOrder): Promise<Reading | 'out of time'> {
    if (this.isClosed) throw new AppError('unavailable', 'the service is shutting down');
    // Nothing of this process's settings is its business.
    const child = fork(PROGRAM, {
      env: {},
      execArgv: PERMISSIONS,
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    this.running.add(child);
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise((resolve, reject) => {
        timer = setTimeout(() => resolve('out of time'), LIMITS.timeMs);
        // One that could not be started, or ended early, takes no order: an error comes more than once then.
        child.once('spawn', () => child.send(order)).on('error', reject);
        child.once('message', (reading) => resolve(reading as Reading));
        child.once('exit', (code, signal) => resolve(endOf(code, signal)));
      });
    } finally {
      clearTimeout(timer);
      child.kill('SIGKILL');
      this.running.delete(child);
    }
  }
}

/** An end without a word: V8 or the kernel ends what takes more memory than there is. */
function endOf(code: number | null, signal: NodeJS.Signals | null): Reading {
  return signal === null ? { bug: `it ended with ${code}` } : { outOfMemory: true };
}

function chunksOf(reading: Reading | 'out of time'): Chunk[] {
  if (reading === 'out of time') throw beyond('timeMs');
  if ('outOfMemory' in reading) throw beyond('memoryMb');
  if ('refusal' in reading) throw refused(reading.refusal.message, reading.refusal.details);
  if ('bug' in reading) throw new Error(`a document could not be read: ${reading.bug}`);
  return reading.chunks;
}
