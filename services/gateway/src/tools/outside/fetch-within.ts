/** Bytes that end a line in a stream of events. */
const LF = 10;
const CR = 13;

/**
 * Makes a `fetch` whose bodies fail past so many bytes, as they are after unpacking. A stream of events may go on for days:
 * in it each event has its own bound.
 * @param onOver told of a body that is too long, as its reader may only wait for what never comes
 */
export function fetchWithin(
  maxBytes: number,
  onOver: () => void,
): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    const isOfEvents = headers.get('content-type')?.startsWith('text/event-stream') ?? false;
    const isOver = isOfEvents ? overInAnEvent(maxBytes) : overInAll(maxBytes);
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, body) {
        if (isOver(chunk)) {
          body.error(new Error(`an answer of more than ${maxBytes} bytes`));
          onOver();
        } else body.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}

function overInAll(maxBytes: number): (chunk: Uint8Array) => boolean {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    return bytes > maxBytes;
  };
}

/** Counts from each empty line on: it ends an event. */
function overInAnEvent(maxBytes: number): (chunk: Uint8Array) => boolean {
  let bytes = 0;
  let last = LF;
  return (chunk) => {
    for (const byte of chunk) {
      bytes += 1;
      if (bytes > maxBytes) return true;
      // The two bytes of one line end.
      const isSameEnd = last === CR && byte === LF;
      const isEnd = byte === CR || byte === LF;
      if (isEnd && !isSameEnd && (last === CR || last === LF)) bytes = 0;
      last = byte;
    }
    return false;
  };
}
