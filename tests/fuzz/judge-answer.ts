import { memoryContract, Problem } from '@kith/contracts';
import type { FuzzRequest } from './make-request.ts';
import type { Answer } from './send-request.ts';

/** Reading a document has a limit of its own; the rest is for the answer's way. */
const MAX_READING_MS = memoryContract.addDocument.timeoutMs + 2_000;

/** Judges an answer: the fault, or null when it is in order. Pure. */
export function judgeAnswer(
  { route, method, path }: FuzzRequest,
  { status, headers, body, tookMs }: Answer,
  longestWaitMs: number,
): string | null {
  const isDocument = method === 'POST' && path.startsWith('/v1/documents');
  if (tookMs > (isDocument ? MAX_READING_MS : longestWaitMs)) return `took ${Math.round(tookMs)} ms`;
  // A connection that is closed under a body that is too large, or under a request that can't be read, is in order.
  if (status === 0 || status < 400 || method === 'HEAD') return status >= 500 ? `status ${status}` : null;
  // Probes say with 503 that a service is not ready, in a form of their own.
  if (route.startsWith('beside /health') && status === 503) return null;
  const problem = problemIn(headers['content-type'], body);
  if (!problem) return `status ${status} without problem details`;
  if (problem.status !== status) return `status ${status}, and ${problem.status} in its problem`;
  if (status >= 500 && problem.code !== 'unavailable') return `status ${status}, ${problem.code}`;
  if (status >= 500 && status !== 503) return `status ${status}`;
  return null;
}

function problemIn(type: string | undefined, body: string): Problem | null {
  if (type?.startsWith('application/problem+json') !== true) return null;
  try {
    return Problem.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
