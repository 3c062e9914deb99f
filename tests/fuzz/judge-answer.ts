import { memoryContract, Problem } from '@kith/contracts';
import type { FuzzRequest } from './make-request.ts';
import type { Answer } from './send-request.ts';

/** Reading a document has a limit of its own; the rest is for the answer's way. */
const MAX_READING_MS = memoryContract.addDocument.timeoutMs + 2_000;

/** Body that routes refuse unread, most of them: whoever still sends it may find the connection closed. */
const MAX_BODY_BYTES = 1024 * 1024;
/** Head that Node's parser refuses: its own limit. */
const MAX_HEAD_BYTES = 16 * 1024;

/** Judges an answer: the fault, or null when it is in order. Pure. */
export function judgeAnswer(
  request: FuzzRequest,
  { status, headers, body, isWhole, tookMs }: Answer,
  longestWaitMs: number,
): string | null {
  const { route, method, path } = request;
  const isDocument = method === 'POST' && path.startsWith('/v1/documents');
  if (tookMs > (isDocument ? MAX_READING_MS : longestWaitMs)) return `took ${Math.round(tookMs)} ms`;
  if (status === 0) return mayBeClosedOn(request) ? null : 'no answer';
  if (!isWhole) return `status ${status}, cut off`;
  if (status < 400 || method === 'HEAD') return status >= 500 ? `status ${status}` : null;
  // Probes say with 503 that a service is not ready, in a form of their own.
  if (route.startsWith('beside /health') && status === 503) return null;
  const problem = problemIn(headers['content-type'], body);
  if (!problem) return `status ${status} without problem details`;
  if (problem.status !== status) return `status ${status}, and ${problem.status} in its problem`;
  if (status >= 500 && problem.code !== 'unavailable') return `status ${status}, ${problem.code}`;
  if (status >= 500 && status !== 503) return `status ${status}`;
  return null;
}

/** Tells whether a connection may be closed under a request: its body is too large, or it can't be read. */
function mayBeClosedOn({ path, headers, body }: FuzzRequest): boolean {
  const head = path.length + Object.entries(headers).flat().join('').length;
  return (body?.length ?? 0) > MAX_BODY_BYTES || head > MAX_HEAD_BYTES;
}

function problemIn(type: string | undefined, body: string): Problem | null {
  if (type?.startsWith('application/problem+json') !== true) return null;
  try {
    return Problem.parse(JSON.parse(body));
  } catch {
    return null;
  }
}
