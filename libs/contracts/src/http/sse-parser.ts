/** One server-sent event. */
export interface ServerSentEvent {
  event: string;
  data: string;
}

/**
 * Reads server-sent events (WHATWG HTML, 9.2.6) from text that comes in any pieces: comments are left out,
 * an event without data is no event, and one that the stream's end cut off is dropped.
 */
export class SseParser {
  private rest = '';
  private event = '';
  private data: string[] = [];

  /** Takes the next piece, returns the events it completed. */
  push(text: string): ServerSentEvent[] {
    const buffer = this.rest + text;
    // A carriage return at the very end may be half of a line break.
    const usable = buffer.endsWith('\r') ? buffer.length - 1 : buffer.length;
    const lines = buffer.slice(0, usable).split(/\r\n|\n|\r/);
    this.rest = (lines.pop() ?? '') + buffer.slice(usable);
    return lines.flatMap((line) => this.take(line));
  }

  private take(line: string): ServerSentEvent[] {
    if (line === '') return this.dispatch();
    const colon = line.indexOf(':');
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? '' : line.slice(colon + 1).replace(/^ /, '');
    if (field === 'event') this.event = value;
    if (field === 'data') this.data.push(value);
    return [];
  }

  private dispatch(): ServerSentEvent[] {
    const event = { event: this.event || 'message', data: this.data.join('\n') };
    const isEvent = this.data.length > 0;
    this.event = '';
    this.data = [];
    return isEvent ? [event] : [];
  }
}
