/**
 * Reads the data of server-sent events (WHATWG HTML, 9.2.6) from text that comes in any pieces: comments and the events'
 * names are left out, an event without data is no event, and one that the stream's end cut off is dropped.
 */
export class SseParser {
  private rest = '';
  private data: string[] = [];

  /** Takes the next piece, returns the data of each event that it completed. */
  push(text: string): string[] {
    const buffer = this.rest + text;
    // A carriage return at the very end may be half of a line break.
    const usable = buffer.endsWith('\r') ? buffer.length - 1 : buffer.length;
    const lines = buffer.slice(0, usable).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? '') + buffer.slice(usable);
    return lines.flatMap((line) => this.take(line));
  }

  private take(line: string): string[] {
    if (line === '' && this.data.length > 0) return [this.data.splice(0).join('\n')];
    if (line === 'data' || line.startsWith('data:'))
      this.data.push(line.slice('data:'.length).replace(/^ /, ''));
    return [];
  }
}
