import { AppError, type ErrorCode } from '@kith/contracts';

const TEXTS: Readonly<Record<ErrorCode, string>> = {
  invalid_request: 'That was not understood.',
  unauthorized: 'That is not allowed.',
  forbidden: 'That is not allowed.',
  not_found: 'There is no such thing here.',
  conflict: 'Something else changed that meanwhile. Please look again.',
  rate_limited: 'That was too often. Please wait a minute.',
  unavailable: 'A part of me is out of reach right now. Please try again in a minute.',
  internal: 'Something went wrong on my side. It was noted; please try again later.',
};

/** Describes an error to the person who used a command, never in another service's own words. */
export function describeError(error: unknown): string {
  return TEXTS[error instanceof AppError ? error.code : 'internal'];
}

/** Answer to a command while no service can be asked. */
export const WITHOUT_REDIS =
  'My parts can’t reach each other right now (Redis is down), so commands have to wait. What you write to me is read as soon as that is over.';
