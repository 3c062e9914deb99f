/** Makes a `fetch` whose bodies fail past so many bytes, as they are after unpacking. */
export function fetchWithin(maxBytes: number): (url: string | URL, init?: RequestInit) => Promise<Response> {
  return async (url, init) => {
    const response = await fetch(url, init);
    if (!response.body) return response;
    let bytes = 0;
    const counted = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, body) {
        bytes += chunk.length;
        if (bytes > maxBytes) body.error(new Error(`an answer of more than ${maxBytes} bytes`));
        else body.enqueue(chunk);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(response.body.pipeThrough(counted), { status, statusText, headers });
  };
}
