/** Longest body of a refusal that is read: enough for its reason. */
const MAX_REFUSAL_CHARACTERS = 2_000;
/** Longest line: a whole tool call with room to spare. */
const MAX_LINE_CHARACTERS = 1_000_000;

/** An answer with an error status, with what tells its kind. */
class HostRefusal extends Error {
  override readonly name = 'HostRefusal';
  constructor(
    readonly status: number,
    readonly headers: Headers,
    body: string,
  ) {
    super(body);
  }
}

/**
 * Makes a fetch that ends with the signal, keeps the headers of a refusal, and throws at a line that is no JSON. For an
 * SDK that takes no signal, drops those headers, and prints lines that it can't parse and passes over them.
 */
export function hostFetch(signal: AbortSignal): typeof fetch {
  return async (input, init) => {
    const signals = [signal, ...(init?.signal ? [init.signal] : [])];
    const answer = await fetch(input, { ...init, signal: AbortSignal.any(signals) });
    if (!answer.ok) {
      const body = (await answer.text()).slice(0, MAX_REFUSAL_CHARACTERS);
      throw new HostRefusal(answer.status, answer.headers, body);
    }
    if (!answer.headers.get('content-type')?.includes('ndjson') || !answer.body) return answer;
    return new Response(answer.body.pipeThrough(jsonLines()), answer);
  };
}

/** Passes whole lines on, and ends with an error at one that can't be parsed. */
function jsonLines(): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  let rest = '';
  return new TransformStream({
    transform(bytes, controller) {
      const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
      rest = lines.pop() ?? '';
      if (rest.length > MAX_LINE_CHARACTERS) throw new SyntaxError('a line of JSON that does not end');
      for (const line of lines) if (line.trim()) controller.enqueue(encoder.encode(`${check(line)}\n`));
    },
    flush(controller) {
      if (rest.trim()) controller.enqueue(encoder.encode(`${check(rest)}\n`));
    },
  });
}

function check(line: string): string {
  JSON.parse(line);
  return line;
}
