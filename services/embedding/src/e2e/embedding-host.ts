import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A call that the host received. */
interface SeenCall {
  path: string;
  headers: IncomingMessage['headers'];
  body: Record<string, unknown>;
  texts: string[];
}

export interface ScriptedAnswer {
  status: number;
  headers?: Record<string, string>;
  body: unknown;
}

/** Conduct of the host at a call. `stall`: answers 200 and the first bytes, and nothing more. */
type Conduct = ScriptedAnswer | 'hang' | 'cut' | 'stall';

/** An HTTP server that answers Gemini's and OpenAI's embedding calls, as scripted or else by itself. */
export interface EmbeddingHost {
  url: string;
  calls: SeenCall[];
  script: Conduct[];
  /** Answers the calls after the script; null for the usual answer. */
  judge: ((call: SeenCall) => Conduct | null) | null;
  /** Calls wait here before they are answered. */
  gate: Promise<void>;
  reset(): void;
  stop(): Promise<void>;
}

/** Makes a vector that is not of unit length, since scaling it is the provider's work. */
function rawVector(text: string, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, index) => (text.charCodeAt(index % text.length) % 31) + 1);
}

interface GeminiRequest {
  content: { parts: { text: string }[] };
  outputDimensionality?: number;
}

export async function startEmbeddingHost(dimensions: number): Promise<EmbeddingHost> {
  const serve = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let raw = '';
    for await (const chunk of request) raw += String(chunk);
    const body = JSON.parse(raw) as Record<string, unknown>;
    const gemini = body['requests'] as GeminiRequest[] | undefined;
    const texts = gemini
      ? gemini.map(({ content }) => content.parts.map(({ text }) => text).join(''))
      : (body['input'] as string[]);
    const call = { path: request.url ?? '', headers: request.headers, body, texts };
    host.calls.push(call);
    await host.gate;
    const next = host.script.shift() ?? host.judge?.(call);
    if (next === 'hang') return;
    if (next === 'stall') {
      response.writeHead(200, { 'content-type': 'application/json' }).write('{');
      return;
    }
    if (next === 'cut') {
      request.socket.destroy();
      return;
    }
    const answer = next ?? {
      status: 200,
      body: gemini
        ? { embeddings: texts.map((text) => ({ values: rawVector(text, dimensions) })) }
        : {
            object: 'list',
            model: 'scripted',
            usage: { prompt_tokens: 1, total_tokens: 1 },
            // Back to front: `index` says where a vector belongs.
            data: texts
              .map((text, index) => ({ object: 'embedding', index, embedding: rawVector(text, dimensions) }))
              .reverse(),
          },
    };
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers });
    response.end(JSON.stringify(answer.body));
  };
  const server = createServer((request, response) => void serve(request, response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const host: EmbeddingHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls: [],
    script: [],
    judge: null,
    gate: Promise.resolve(),
    reset() {
      Object.assign(host, { calls: [], script: [], judge: null, gate: Promise.resolve() });
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return host;
}
