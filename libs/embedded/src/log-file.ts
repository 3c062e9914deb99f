import { createWriteStream, type WriteStream } from 'node:fs';

/** A full disk is not asked for every line. */
const LOOK_AGAIN_MS = 1_000;

/**
 * A file that a process's output goes to. A disk that is full costs the lines of that time: neither the process, which
 * would wait for its output to be read, nor ours, which would end by an error that nobody hears.
 */
export class LogFile {
  private stream: WriteStream | undefined;
  private brokenAt = Number.NEGATIVE_INFINITY;

  constructor(private readonly path: string) {}

  write(chunk: Buffer): void {
    if (performance.now() - this.brokenAt < LOOK_AGAIN_MS) return;
    this.open().write(chunk);
  }

  close(): void {
    this.stream?.end();
    this.stream = undefined;
  }

  private open(): WriteStream {
    if (this.stream) return this.stream;
    const stream = createWriteStream(this.path, { flags: 'a', mode: 0o600 });
    stream.on('error', () => {
      this.brokenAt = performance.now();
      if (this.stream === stream) this.stream = undefined;
    });
    this.stream = stream;
    return stream;
  }
}
