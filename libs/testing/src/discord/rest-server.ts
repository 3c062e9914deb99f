import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { rateLimited, refusal, type RestAnswer, type RestRequest, type Route } from './answers.js';
import { FaultPlan } from './faults.js';
import type { Journal } from './journal.js';

const MAX_BODY_BYTES = 10 * 1024 * 1024;

/** The HTTP side: reads a request, lets armed faults have it first, else finds its route. */
export class RestServer {
  readonly faults = new FaultPlan();
  readonly http: Server;

  constructor(
    private readonly token: string,
    private readonly journal: Journal,
    private readonly routes: () => readonly Route[],
  ) {
    this.http = createServer((request, response) => {
      this.serve(request, response).catch(() => response.destroy());
    });
  }

  private async serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = await readRequest(incoming);
    const fault = this.faults.take(request.method, request.path, request.body);
    const answer =
      fault?.kind === 'rate-limit'
        ? rateLimited(fault.match.retryAfterMs, fault.match.global ?? false)
        : fault?.kind === 'error'
          ? refusal(fault.match.status, fault.match.code ?? 0, fault.match.message ?? `${fault.match.status}`)
          : this.answer(request);
    this.journal.requests.push({
      at: performance.now(),
      method: request.method,
      path: request.path,
      status: answer.status,
      body: request.body,
    });
    if (fault?.kind === 'lost-answer') incoming.socket.destroy();
    else reply(response, answer);
    this.journal.changed();
  }

  private answer(request: RestRequest): RestAnswer {
    for (const route of this.routes()) {
      if (route.method !== request.method) continue;
      const match = route.path.exec(request.path);
      if (!match) continue;
      if (!route.open && request.authorization !== `Bot ${this.token}`)
        return refusal(401, 0, '401: Unauthorized');
      return route.answer(request, ...match.slice(1));
    }
    return refusal(404, 0, '404: Not Found');
  }
}

function reply(response: ServerResponse, { status, body, headers }: RestAnswer): void {
  if (body === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

async function readRequest(incoming: IncomingMessage): Promise<RestRequest> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > MAX_BODY_BYTES) throw new Error('body too large');
    chunks.push(chunk);
  }
  const url = new URL(incoming.url ?? '/', 'http://discord.invalid');
  return {
    method: incoming.method ?? 'GET',
    path: decodeURIComponent(url.pathname).replace(/^\/api\/v\d+/, ''),
    query: url.searchParams,
    body: await readBody(Buffer.concat(chunks), incoming.headers['content-type'] ?? ''),
    authorization: incoming.headers.authorization,
  };
}

/** JSON, or the `payload_json` part of a form with attachments. */
async function readBody(raw: Buffer, contentType: string): Promise<unknown> {
  if (contentType.includes('json')) return raw.length === 0 ? {} : (JSON.parse(raw.toString()) as unknown);
  if (!contentType.includes('multipart')) return {};
  const form = await new Response(new Uint8Array(raw), {
    headers: { 'content-type': contentType },
  }).formData();
  const payload = form.get('payload_json');
  return typeof payload === 'string' ? (JSON.parse(payload) as unknown) : {};
}
