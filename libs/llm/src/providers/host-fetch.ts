/** Longest body of a refusal that is read: enough for its reason. */
const MAX_REFUSAL_CHARACTERS = 2_000;
/** Longest line, or body of JSON: a whole tool call with room to spare. */
const MAX_JSON_CHARACTERS = 1_000_000;

/** An answer that is an error, with what tells its kind. */
class HostRefusal extends Error {
  override readonly name = 'HostRefusal';
  constructor(
    /** Absent where it is that of a success. */
    readonly status: number | undefined,
    readonly headers: Headers,
    body: string,
    /** The error within the body, where it was read. */
    readonly error?: unknown,
  ) {
    super(body.slice(0, MAX_REFUSAL_CHARACTERS));
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
    if (!answer.ok) throw new HostRefusal(answer.status, answer.headers, await answer.text());
    // Nothing but a request for a stream has a body.
    if (!init?.body || !answer.body) return answer;
    return new Response(answer.body.pipeThrough(jsonLines()), answer);
  };
}

/**
 * Asks for events, for an SDK that passes over lines that are none, and that posts nothing but requests for streams: some
 * hosts answer these with a 200 and JSON or a page. Such a body ends the stream with the failure that it tells of.
 */
export const eventFetch: typeof fetch = async (input, init) => {
  const answer = await fetch(input, init);
  if (!init?.body || !answer.ok || !answer.body) return answer;
  return new Response(answer.body.pipeThrough(eventsAlone(answer.headers)), answer);
};

/** Fields of a whole answer that hold what was said: chat completions', the Responses API's, Anthropic's and Gemini's. */
const SAID = ['choices', 'output', 'content', 'candidates'];

/**
 * Passes events on, and ends with an error at a body of JSON, of which a list's first element is read, and at a page: no
 * event begins with a brace, a bracket or a tag.
 */
function eventsAlone(headers: Headers): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  /** Absent while all that came is blank: some proxies keep a connection alive with that. */
  let first: string | undefined;
  let body = '';
  return new TransformStream({
    transform(bytes, controller) {
      first ??= /\S/.exec(new TextDecoder().decode(bytes))?.[0];
      if (first === '<') throw noStream();
      if (first === '{' || first === '[') body += decoder.decode(bytes, { stream: true });
      else controller.enqueue(bytes);
      if (body.length > MAX_JSON_CHARACTERS) throw new SyntaxError('JSON that does not end');
    },
    flush() {
      if (!body) return;
      const told = Object([JSON.parse(body)].flat()[0]) as Record<string, unknown>;
      if (!told['error'] && SAID.some((field) => field in told)) throw noStream();
      throw new HostRefusal(undefined, headers, body, told['error'] ?? told);
    },
  });
}

function noStream(): Error {
  return Object.assign(new SyntaxError('an answer that is no stream'), { code: 'not-streamed' });
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
      if (rest.length > MAX_JSON_CHARACTERS) throw new SyntaxError('a line of JSON that does not end');
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
