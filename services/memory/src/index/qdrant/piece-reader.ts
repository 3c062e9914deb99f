/** Longest line of a file of ours. */
const MAX_HEADER_BYTES = 1_000;

/** Reads lines and blocks of bytes from a stream, however it is cut into pieces. */
export class PieceReader {
  private readonly pieces: AsyncIterator<Buffer>;
  private held: Buffer = Buffer.alloc(0);

  constructor(from: AsyncIterable<Buffer>) {
    this.pieces = from[Symbol.asyncIterator]();
  }

  /** Reads a line; null at the end. */
  async line(): Promise<string | null> {
    for (;;) {
      const end = this.held.indexOf('\n');
      if (end >= 0) {
        const line = this.held.subarray(0, end).toString('utf8');
        this.held = this.held.subarray(end + 1);
        return line;
      }
      if (this.held.length > MAX_HEADER_BYTES) throw new Error('this is not a file of snapshots');
      if (await this.more()) continue;
      if (this.held.length > 0) throw new Error('the file of snapshots is not whole');
      return null;
    }
  }

  async *bytes(count: number): AsyncGenerator<Buffer> {
    let left = count;
    while (left > 0) {
      if (this.held.length === 0 && !(await this.more()))
        throw new Error('the file of snapshots is not whole');
      const piece = this.held.subarray(0, left);
      this.held = this.held.subarray(piece.length);
      left -= piece.length;
      yield piece;
    }
  }

  private async more(): Promise<boolean> {
    const next = await this.pieces.next();
    if (next.done) return false;
    this.held = this.held.length === 0 ? next.value : Buffer.concat([this.held, next.value]);
    return true;
  }
}
