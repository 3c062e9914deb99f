import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { FuzzRequest } from './make-request.ts';

export interface Answer {
  /** 0 where the connection ended without one. */
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  tookMs: number;
}

/** Far past what is allowed: by then nobody answers. */
const GIVEN_UP_MS = 90_000;
const agent = new Agent({ keepAlive: true, maxSockets: 64 });

/** Sends it as it is: an address is not put in order first. Never rejects. */
export function sendRequest(url: string, { method, path, headers, body }: FuzzRequest): Promise<Answer> {
  const { hostname, port } = new URL(url);
  const started = performance.now();
  return new Promise((resolve) => {
    const end = (status: number, answered: IncomingHttpHeaders, text: string) =>
      resolve({ status, headers: answered, body: text, tookMs: performance.now() - started });
    const sent = httpRequest(
      {
        ...{ hostname, port, method, path, agent, timeout: GIVEN_UP_MS },
        headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('close', () =>
          end(response.statusCode ?? 0, response.headers, Buffer.concat(chunks).toString('utf8')),
        );
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => end(0, {}, ''));
    sent.end(body ?? undefined);
  });
}
