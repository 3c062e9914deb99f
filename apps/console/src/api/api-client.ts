import { RouteClient, type CallFailure, type Route } from '@kith/contracts';

/** A request that got no useful answer. `status` is 0 when nothing answered at all. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  constructor(
    readonly status: number,
    message: string,
    options?: { cause?: unknown },
    /** Receipt of the order, where it is noted and goes on by itself. */
    readonly receipt?: string,
  ) {
    super(message, options);
  }
}

// A tool may take 20 s, and the gateway 9 s while a service is down; what takes longer shows in the banner.
const REQUEST_TIMEOUT_MS = 30_000;

/** Opens the API with a person's key, or with none to sign in. Throws `ApiError`, whose message is fit to show. */
export function openApi(key: string | undefined, timeoutMs = REQUEST_TIMEOUT_MS): RouteClient {
  return new RouteClient({ address: '', key, timeoutMs, explain: explainFailure });
}

/** Words a failure for the person who sees it. */
export function explainFailure(failure: CallFailure, method: Route['method']): ApiError {
  switch (failure.kind) {
    case 'unreachable':
      return new ApiError(0, 'Nothing answers at this address.', failure);
    case 'timed-out':
      return new ApiError(
        0,
        // Reading changes nothing.
        method === 'GET' ? 'No answer came in time.' : 'No answer came in time. It may still be done.',
        failure,
      );
    case 'broken-off':
      return new ApiError(0, 'The connection broke off.', failure);
    case 'refused': {
      const { status, problem } = failure;
      const words = problem?.detail ?? `The gateway answered with status ${status}.`;
      return new ApiError(status, words, undefined, problem?.receipt);
    }
    case 'not-understood':
      return new ApiError(
        failure.status,
        'The gateway speaks another version than this page: reload the page.',
        failure,
      );
  }
}
