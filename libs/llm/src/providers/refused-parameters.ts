import { hostsWordsOf } from '../errors/read-failure.js';

/** Parameters of chat completions that some models refuse, and that an answer can be had without. */
const OPTIONAL = ['temperature', 'reasoning_effort', 'response_format', 'stream_options', 'max_tokens'];

/**
 * Sends a request without what the model's host has refused before. OpenAI's reasoning models refuse a temperature,
 * its newer ones `max_tokens`, small hosts a response format: no list says which model refuses what, only
 * a 400 that names the parameter does. Nothing ran by then, so the request is sent again at once.
 */
export class RefusedParameters {
  /** By model; as long as the process lives. */
  private readonly refused = new Map<string, ReadonlySet<string>>();

  /** @param optional parameters of the API that an answer can be had without */
  constructor(private readonly optional: readonly string[] = OPTIONAL) {}

  async send<Body extends object, Answer>(model: string, body: Body, send: (body: Body) => Promise<Answer>) {
    const known = this.refused.get(model) ?? new Set<string>();
    let refused: ReadonlySet<string> = known;
    for (;;) {
      try {
        const answer = await send(without(body, refused));
        // Only now: a host that names a parameter of a request that is too long refuses it without that, too.
        if (refused !== known) this.refused.set(model, new Set([...known, ...refused]));
        return answer;
      } catch (error) {
        const name = refusedParameterOf(error, this.optional);
        // Refused although it was left out: the host means something else.
        if (name === null || refused.has(name) || !(name in body)) throw error;
        refused = new Set([...refused, name]);
      }
    }
  }
}

function without<Body extends object>(body: Body, refused: ReadonlySet<string>): Body {
  if (refused.size === 0) return body;
  const entries = Object.entries(body).flatMap(([name, value]) => {
    if (!refused.has(name)) return [[name, value]];
    return name === 'max_tokens' ? [['max_completion_tokens', value]] : [];
  });
  return Object.fromEntries(entries) as Body;
}

/** The optional parameter that a 400 or 422 names, or null. */
function refusedParameterOf(error: unknown, optional: readonly string[]): string | null {
  if (!(error instanceof Error)) return null;
  const status = Reflect.get(error, 'status') as unknown;
  if (status !== 400 && status !== 422) return null;
  const param = Reflect.get(error, 'param') as unknown;
  if (typeof param === 'string' && param !== '') {
    const [name = ''] = param.split('.'); // `reasoning.effort` goes with all of `reasoning`
    return optional.includes(name) ? name : null;
  }
  // The first that is named: "`temperature` may only be set to 1 when thinking is enabled".
  const words = hostsWordsOf(error).match(/[\w-]+/g) ?? [];
  return words.find((word) => optional.includes(word)) ?? null;
}
