import { Agent, request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import type { FuzzRequest } from './make-request.ts';

export interface Answer {
  /** 0 where the connection ended without one. */
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
  /** False where the connection ended within the answer. */
  isWhole: boolean;
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
    const end = (answer: Omit<Answer, 'tookMs'>) =>
      resolve({ ...answer, tookMs: performance.now() - started });
    const sent = httpRequest(
      {
        hostname,
        port,
        method,
        path,
        agent,
        timeout: GIVEN_UP_MS,
        headers: { ...headers, ...(body ? { 'content-length': String(body.length) } : {}) },
      },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        // Without a listener, a connection that ends within the answer would throw.
        response.on('error', () => undefined);
        response.on('close', () => {
          const { statusCode: status = 0, headers: answered, complete: isWhole } = response;
          end({ status, headers: answered, body: Buffer.concat(chunks).toString('utf8'), isWhole });
        });
      },
    );
    sent.on('timeout', () => sent.destroy());
    sent.on('error', () => end({ status: 0, headers: {}, body: '', isWhole: false }));
    sent.end(body ?? undefined);
  });
}
