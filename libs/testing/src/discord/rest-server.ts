import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  rateLimited,
  refusal,
  type RestAnswer,
  type RestRequest,
  type Route,
  type UploadedFile,
} from './answers.js';
import { MAX_UPLOAD_BYTES } from './attachments.js';
import { type Fault, FaultPlan } from './fault-plan.js';
import type { Journal } from './journal.js';

/** Above what a message may hold, so that a file too large gets Discord's answer. */
const MAX_BODY_BYTES = 2 * MAX_UPLOAD_BYTES;

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
    const answer = fault ? this.answerOf(fault, request) : this.answer(request);
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

  private answerOf(fault: Fault, request: RestRequest): RestAnswer {
    if (fault.kind === 'lost-answer') return this.answer(request);
    if (fault.kind === 'rate-limit')
      return rateLimited(fault.match.retryAfterMs, fault.match.global ?? false);
    const { status, code = 0, message = `${status}`, isDone } = fault.match;
    if (isDone === true) this.answer(request);
    return refusal(status, code, message);
  }

  private answer(request: RestRequest): RestAnswer {
    for (const route of this.routes()) {
      if (route.method !== request.method) continue;
      const match = route.path.exec(request.path);
      if (!match) continue;
      if (!route.isOpen && request.authorization !== `Bot ${this.token}`)
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
    ...(await readBody(Buffer.concat(chunks), incoming.headers['content-type'] ?? '')),
    authorization: incoming.headers.authorization,
  };
}

/** JSON, or a form: its `payload_json`, and files in parts named `files[n]`. */
async function readBody(raw: Buffer, contentType: string): Promise<Pick<RestRequest, 'body' | 'files'>> {
  if (contentType.includes('json')) {
    return { body: raw.length === 0 ? {} : (JSON.parse(raw.toString()) as unknown), files: [] };
  }
  if (!contentType.includes('multipart')) return { body: {}, files: [] };
  const parts = new Response(new Uint8Array(raw), { headers: { 'content-type': contentType } });
  // Deprecated for servers at large, which should stream; a double's bodies are small.
  // oxlint-disable-next-line typescript/no-deprecated
  const form = await parts.formData();
  const payload = form.get('payload_json');
  const files = await Promise.all([...form].map(([name, part]) => readFile(name, part)));
  return {
    body: typeof payload === 'string' ? (JSON.parse(payload) as unknown) : {},
    files: files.filter((file) => file !== null),
  };
}

async function readFile(name: string, part: string | File): Promise<UploadedFile | null> {
  const number = /^files\[(\d+)\]$/.exec(name)?.[1];
  if (number === undefined || typeof part === 'string') return null;
  const bytes = Buffer.from(await part.arrayBuffer());
  return { number, filename: part.name, contentType: part.type, bytes };
}
