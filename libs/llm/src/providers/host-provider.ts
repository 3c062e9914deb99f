import { ModelError } from '../errors/model-error.js';
import { readFailure } from '../errors/read-failure.js';
import type { ModelProvider, OfferedModel, ProviderRequest, StreamPart } from '../provider.js';

/** Parts in which hosts differ. Whatever they throw becomes a `ModelError`. */
interface Host<Client, Answer> extends Pick<ModelProvider, 'name' | 'omitsKept'> {
  /** A client of its SDK, whose loading has begun. */
  opening: Promise<Client>;
  list: (client: Client, signal: AbortSignal) => Promise<OfferedModel[]>;
  /** Sends a request to the model `origin` (`host:model`). Resolves when the answer has begun. */
  send: (client: Client, request: ProviderRequest, origin: string) => Promise<Answer>;
  /** Turns an answer into parts, as it comes. */
  read: (origin: string, answer: Answer) => AsyncIterable<StreamPart>;
}

/** Makes a provider of a host's parts. */
export function hostProvider<Client, Answer>(host: Host<Client, Answer>): ModelProvider {
  const { name, omitsKept = false, opening, list, send, read } = host;
  // Whoever asks the host hears of an SDK that can't be loaded. Unheard until then, it would end the process.
  opening.catch(() => undefined);
  return {
    name,
    omitsKept,
    async list(signal) {
      try {
        return await list(await opening, signal);
      } catch (error) {
        throw readFailure(error, { provider: name, opened: false });
      }
    },
    async *stream(request) {
      const origin = `${name}:${request.model}`;
      let opened = false;
      try {
        const answer = await send(await opening, request, origin);
        opened = true;
        for await (const part of read(origin, answer)) {
          if (!isReadable(part)) throw new ModelError('garbled', `${origin}: words that are no text`);
          yield part;
        }
      } catch (error) {
        throw readFailure(error, { provider: name, opened });
      }
    },
  };
}

/** Tells whether words are text: what a host may write in their place would break whoever reads them. */
function isReadable(part: StreamPart): boolean {
  if (part.type === 'tool-call') return typeof part.call.name === 'string';
  return !('text' in part) || typeof part.text === 'string';
}
