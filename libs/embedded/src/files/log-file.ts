import { createWriteStream, fstatSync, openSync, renameSync, statSync, type WriteStream } from 'node:fs';

/** A full disk is not asked for every line. */
const RETRY_AFTER_MS = 1_000;
/** Hundreds of thousands of lines. A service takes twice that at most, with the file before. */
const MAX_BYTES = 50 * 1_024 * 1_024;

/**
 * A file that a process's output goes to. A disk that is full costs the lines of that time: neither the process, which
 * would wait for its output to be read, nor ours, which would end by an error that nobody hears. A full file is renamed to
 * `.1` and replaces the one before, so that the log never fills the disk by itself.
 */
export class LogFile {
  private stream: WriteStream | undefined;
  private size = 0;
  private brokenAt = Number.NEGATIVE_INFINITY;

  constructor(
    private readonly path: string,
    private readonly maxBytes = MAX_BYTES,
  ) {}

  write(chunk: Buffer): void {
    if (performance.now() - this.brokenAt < RETRY_AFTER_MS) return;
    try {
      this.open().write(chunk);
      this.size += chunk.length;
    } catch {
      this.brokenAt = performance.now();
    }
  }

  close(): void {
    this.stream?.end();
    this.stream = undefined;
  }

  private open(): WriteStream {
    if (this.stream && this.size < this.maxBytes) return this.stream;
    const size = this.stream ? this.size : (statSync(this.path, { throwIfNoEntry: false })?.size ?? 0);
    this.close();
    if (size >= this.maxBytes) renameSync(this.path, `${this.path}.1`);
    // Opened at once: lines that are still to be written stay with the file that they were meant for.
    const fd = openSync(this.path, 'a', 0o600);
    this.size = fstatSync(fd).size;
    const stream = createWriteStream(this.path, { fd });
    stream.on('error', () => {
      this.brokenAt = performance.now();
      if (this.stream === stream) this.stream = undefined;
    });
    this.stream = stream;
    return stream;
  }
}
